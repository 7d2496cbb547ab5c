use crate::sparse::{Duplicates, DynSparseTensor, LevelExpr, LevelFormat, SparseEncoding};
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// The entries of the matrix that MLIR's document uses as the example of blocks.
const ENTRIES: [[usize; 2]; 8] = [[0, 0], [0, 1], [0, 4], [1, 1], [1, 5], [2, 2], [2, 3], [3, 2]];
/// The largest size of an example.
const MOST: usize = 64;
/// The largest number of entries of an example.
const MOST_ENTRIES: usize = 10;

/// A small tensor that is stored in an encoding.
pub(super) struct Example {
    tensor: DynSparseTensor<i32>,
    /// The position and the index of each stored value, without padding.
    positions: Vec<(usize, Vec<usize>)>,
}

impl Example {
    /// `None` if the encoding cannot store a small tensor.
    pub(super) fn new(encoding: &SparseEncoding) -> Option<Self> {
        let shape = shape(encoding)?;
        let mut entries: Vec<(Vec<usize>, i32)> = Vec::new();
        let build = |entries: &[(Vec<usize>, i32)]| {
            DynSparseTensor::from_coo(*encoding, &shape, entries, Duplicates::Error).ok()
        };
        let mut tensor = build(&[])?;
        for index in candidates(&shape) {
            entries.push((index, entries.len() as i32 + 1));
            match build(&entries) {
                Some(larger) => tensor = larger,
                // The row or the block is full: leave this entry out.
                None => drop(entries.pop()),
            }
        }
        let positions = tensor.stored_positions();
        Some(Self { tensor, positions })
    }

    pub(super) fn shape(&self) -> &[usize] {
        self.tensor.shape()
    }

    /// The position and the value of the element at `index`, if it is stored.
    pub(super) fn stored(&self, index: &[usize]) -> Option<(usize, i32)> {
        let (position, _) = self.positions.iter().find(|(_, at)| at == index)?;
        Some((*position, self.tensor.values()[*position]))
    }

    /// The number of values for each entry of the innermost level with coordinates: 4 with blocks of 2 by 2.
    pub(super) fn block(&self) -> usize {
        let levels = self.tensor.encoding().levels();
        let stored = levels.iter().rposition(|level| level.format.has_coordinates());
        let Some(stored) = stored else { return 1 };
        self.tensor.level_sizes()[stored + 1..].iter().product()
    }

    /// The array entries that are read to find a value: the names of arrays, each with the number of an entry. Empty if there
    /// are batches, which have arrays of their own.
    pub(super) fn path(&self, value: usize) -> Vec<(&'static str, usize)> {
        let mut path = Vec::new();
        let encoding = self.tensor.encoding();
        let sizes = self.tensor.level_sizes();
        if encoding.levels().iter().any(|level| level.format == LevelFormat::Batch) {
            return path;
        }
        let mut at = value;
        for (number, level) in encoding.levels().iter().enumerate().rev() {
            if level.format.has_coordinates() {
                path.push((COORDINATES[number], at));
            }
            match level.format {
                LevelFormat::Dense | LevelFormat::Batch | LevelFormat::Range => at /= sizes[number],
                LevelFormat::Structured { n, .. } => at /= n,
                LevelFormat::Singleton => {}
                _ if encoding.is_padded(number) => {}
                LevelFormat::Compressed
                | LevelFormat::LooseCompressed
                | LevelFormat::Delta { .. } => {
                    let step = 1 + usize::from(level.format == LevelFormat::LooseCompressed);
                    let positions = self.tensor.positions(number);
                    let holds = |pair: &[usize]| pair[0] <= at && at < pair[1];
                    at = positions.windows(2).step_by(step).position(holds).unwrap_or(0);
                    path.extend([0, 1].map(|end| (POSITIONS[number], at * step + end)));
                }
            }
        }
        path
    }

    /// The arrays with their names, the values last.
    pub(super) fn arrays(&self) -> Vec<(&'static str, Vec<String>)> {
        let mut arrays = Vec::new();
        let encoding = self.tensor.encoding();
        for (at, level) in encoding.levels().iter().enumerate() {
            if level.format.has_positions() && !encoding.is_padded(at) {
                let positions = self.tensor.positions(at).iter();
                arrays.push((POSITIONS[at], positions.map(ToString::to_string).collect()));
            }
            if level.format.has_coordinates() {
                let coordinates = self.tensor.level_coordinates(at);
                arrays.push((COORDINATES[at], coordinates.map(|at| at.to_string()).collect()));
            }
        }
        let values = self.tensor.values().iter().map(ToString::to_string).collect();
        arrays.push(("values", values));
        arrays
    }
}

macro_rules! numbered {
    ($name:literal: $($at:literal)*) => { [$(concat!($name, "[", $at, "]")),*] };
}

/// Names of arrays of positions.
pub(super) const POSITIONS: [&str; crate::sparse::MAX_LEVELS] =
    numbered!("positions": 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
/// Names of arrays of coordinates.
pub(super) const COORDINATES: [&str; crate::sparse::MAX_LEVELS] =
    numbered!("coordinates": 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);

/// A small shape of whole blocks. `None` if the blocks are too large for an example.
fn shape(encoding: &SparseEncoding) -> Option<Vec<usize>> {
    let small: &[usize] = match encoding.rank() {
        1 => &[8],
        2 => &[4, 6],
        3 => &[2, 3, 4],
        _ => &[2, 2, 2, 2, 2, 2, 2, 2],
    };
    let mut shape = small[..encoding.rank()].to_vec();
    for level in encoding.levels() {
        let LevelExpr::Part { form, div, modulus } = &level.expr else { continue };
        let block = div.checked_mul(modulus.unwrap_or(1))?;
        for (size, coefficient) in shape.iter_mut().zip(form.coefficients) {
            if coefficient != 0 {
                *size = size.checked_next_multiple_of(block).filter(|size| *size <= MOST)?;
            }
        }
    }
    Some(shape)
}

fn candidates(shape: &[usize]) -> Vec<Vec<usize>> {
    match *shape {
        [_] => [0, 3, 4, 7].into_iter().map(|at| vec![at]).collect(),
        [_, _] => ENTRIES.into_iter().map(Vec::from).collect(),
        _ => {
            // Scattered over the array: several entries in some rows, and none in others.
            let len: usize = shape.iter().product();
            let chosen = (0..len).filter(|at| at * 7 % 11 < 3).take(MOST_ENTRIES);
            chosen
                .map(|at| {
                    let mut rest = at;
                    let mut index: Vec<_> = shape
                        .iter()
                        .rev()
                        .map(|size| {
                            let at = rest % size;
                            rest /= size;
                            at
                        })
                        .collect();
                    index.reverse();
                    index
                })
                .collect()
        }
    }
}
