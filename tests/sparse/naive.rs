//! Reads the arrays of a tensor with plain loops, and compares every query on the tensor with the result.

use std::collections::BTreeMap;
use tensor_layout::sparse::{
    Coordinate, Duplicates, DynSparseTensor, Encoding, LevelExpr, LevelFormat, LevelSpec, Parts,
    Position, SparseEncoding, SparseTensor,
};

/// The widest arrays.
pub(crate) type Wide = Parts<usize, isize, i32>;

/// All indices of an array.
pub(crate) fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for size in shape {
        let longer = all.iter().flat_map(|index| {
            (0..*size).map(move |x| index.iter().copied().chain([x]).collect::<Vec<_>>())
        });
        all = longer.collect();
    }
    all
}

/// The coordinates of an index on all levels; 0 for counts.
pub(crate) fn target(encoding: &SparseEncoding, index: &[usize]) -> Vec<i64> {
    encoding.levels().iter().map(|level| level.expr.of(index)).collect()
}

/// Descends from level to level.
struct Reader<'a> {
    encoding: &'a SparseEncoding,
    parts: &'a Wide,
    batches: usize,
    /// The coordinates of each value, in storage order, and its position.
    found: Vec<(Vec<i64>, usize)>,
}

impl Reader<'_> {
    fn extent(&self, level: usize) -> (i64, usize) {
        let extent = self.encoding.levels()[level].expr.extent(&self.parts.shape);
        extent.map_or((0, 0), |extent| (extent.least, extent.size))
    }

    /// The coordinate stored at a position of a level, in whichever array.
    fn stored(&self, level: usize, batch: usize, position: usize) -> i64 {
        let alternates =
            |level: &LevelSpec| level.format == LevelFormat::Singleton && !level.properties.soa;
        let levels = self.encoding.levels();
        let first = (0..=level).rev().find(|at| !alternates(&levels[*at])).expect("a parent");
        let below = levels[first + 1..].iter().take_while(|level| alternates(level)).count();
        let stride = 1 + below;
        let array = &self.parts.levels[first].coordinates;
        let positions = array.len() / stride / self.batches;
        array[(batch * positions + position) * stride + level - first] as i64
    }

    fn positions(&self, level: usize, batch: usize) -> &[usize] {
        let positions = &self.parts.levels[level].positions;
        let each = positions.len() / self.batches;
        &positions[batch * each..][..each]
    }

    fn go(&mut self, level: usize, batch: usize, above: usize, before: &[i64]) {
        let levels = self.encoding.levels();
        if level == levels.len() {
            let each = self.parts.values.len() / self.batches;
            return self.found.push((before.to_vec(), batch * each + above));
        }
        let with = |coordinate| before.iter().copied().chain([coordinate]).collect::<Vec<_>>();
        let (least, size) = self.extent(level);
        let counts = levels.iter().any(|level| matches!(level.expr, LevelExpr::Count { .. }));
        let one = |reader: &mut Self, position| {
            let coordinate = reader.stored(level, batch, position);
            reader.go(level + 1, batch, position, &with(coordinate));
        };
        match levels[level].format {
            LevelFormat::Batch => (0..size).for_each(|at| {
                self.go(level + 1, batch * size + at, 0, &with(least + at as i64));
            }),
            LevelFormat::Dense | LevelFormat::Range => (0..size).for_each(|at| {
                self.go(level + 1, batch, above * size + at, &with(least + at as i64));
            }),
            LevelFormat::Singleton => one(self, above),
            LevelFormat::Compressed if counts => one(self, above),
            LevelFormat::Structured { n, .. } => {
                (above * n..above * n + n).for_each(|position| one(self, position));
            }
            LevelFormat::Compressed => {
                let positions = self.positions(level, batch);
                let (start, end) = (positions[above], positions[above + 1]);
                (start..end).for_each(|position| one(self, position));
            }
            LevelFormat::LooseCompressed => {
                let positions = self.positions(level, batch);
                let (start, end) = (positions[2 * above], positions[2 * above + 1]);
                (start..end).for_each(|position| one(self, position));
            }
            LevelFormat::Delta { .. } => {
                let positions = self.positions(level, batch);
                let (start, end) = (positions[above], positions[above + 1]);
                let mut coordinate = -1;
                for position in start..end {
                    coordinate += 1 + self.stored(level, batch, position);
                    self.go(level + 1, batch, position, &with(coordinate));
                }
            }
        }
    }
}

/// The coordinates of each value on all levels, in storage order, and its position.
pub(crate) fn positions(encoding: &SparseEncoding, parts: &Wide) -> Vec<(Vec<i64>, usize)> {
    let mut reader = Reader { encoding, parts, batches: 1, found: Vec::new() };
    for level in 0..encoding.batch_levels() {
        reader.batches *= reader.extent(level).1;
    }
    if reader.batches > 0 {
        reader.go(0, 0, 0, &[]);
    }
    reader.found
}

/// The positions of the values at each index that has some, in storage order.
pub(crate) fn by_index(
    encoding: &SparseEncoding,
    parts: &Wide,
) -> BTreeMap<Vec<usize>, Vec<usize>> {
    let without_counts = |target: &[i64]| -> Vec<i64> {
        let levels = target.iter().zip(encoding.levels());
        levels
            .filter(|(_, level)| !matches!(level.expr, LevelExpr::Count { .. }))
            .map(|(coordinate, _)| *coordinate)
            .collect()
    };
    let known: BTreeMap<_, _> = indices(&parts.shape)
        .into_iter()
        .map(|index| (without_counts(&target(encoding, &index)), index))
        .collect();
    let mut found: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
    for (target, position) in positions(encoding, parts) {
        if let Some(index) = known.get(&without_counts(&target)) {
            found.entry(index.clone()).or_default().push(position);
        }
    }
    found
}

/// The arrays of a tensor, as wide as possible.
pub(crate) fn wide<E: Encoding>(tensor: &SparseTensor<E, i32>) -> Wide {
    let levels = (0..E::SPEC.levels().len()).map(|level| tensor_layout::sparse::LevelParts {
        positions: tensor.positions(level).iter().map(|position| position.get()).collect(),
        coordinates: match tensor.coordinates(level).len() {
            0 => Vec::new(),
            _ if E::Coordinate::PER_WORD > 1 => {
                tensor.level_coordinates(level).map(|c| c as isize).collect()
            }
            len => (0..len)
                .map(|at| E::Coordinate::get(tensor.coordinates(level), at) as isize)
                .collect(),
        },
    });
    Parts {
        shape: tensor.shape().as_ref().to_vec(),
        levels: levels.collect(),
        values: tensor.values().to_vec(),
    }
}

/// Compares every query on a tensor with what plain loops find in its arrays.
pub(crate) fn check<E: Encoding<Index = [usize; R]>, const R: usize>(
    tensor: &SparseTensor<E, i32>,
) {
    let (encoding, parts) = (E::SPEC, wide(tensor));
    let (shape, found) = (tensor.shape(), by_index(&encoding, &parts));
    let values = |index: &[usize]| -> Vec<i32> {
        let positions = found.get(index).into_iter().flatten();
        positions.map(|position| parts.values[*position]).collect()
    };
    let mut dense = Vec::new();
    for index in indices(&shape) {
        let own: [usize; R] = index.clone().try_into().expect("the rank");
        let values = values(&index);
        let sum = values.iter().sum::<i32>();
        dense.push(sum);
        assert_eq!(tensor.get(own), sum, "{index:?} of {encoding} {tensor}");
        let position = tensor.locate(own);
        assert_eq!(position.is_some(), !values.is_empty(), "{index:?} of {encoding} {tensor}");
        if let Some(position) = position {
            let value = tensor.values()[position];
            assert!(found[&index].contains(&position), "{index:?} of {encoding} {tensor}");
            // Zeros that are only filling are not found before a value.
            assert!(
                value != 0 || !encoding.fills() || values.iter().all(|value| *value == 0),
                "{index:?} of {encoding} {tensor}"
            );
            let mut changed = tensor.clone();
            *changed.get_mut(own).expect("a stored value") += 1000;
            assert_eq!(changed.get(own), sum + 1000, "{index:?} of {encoding} {tensor}");
        }
    }
    assert_eq!(tensor.to_dense().as_ref(), Ok(&dense), "{encoding} {tensor}");
    let mut stored: Vec<_> = found
        .iter()
        .flat_map(|(index, positions)| {
            positions.iter().map(|position| (index.clone(), parts.values[*position]))
        })
        .collect();
    stored.sort();
    let sorted = |mut entries: Vec<(Vec<usize>, i32)>| {
        entries.sort();
        entries
    };
    let visited = tensor.iter().map(|(index, value)| (index.to_vec(), *value)).collect();
    assert_eq!(sorted(visited), stored, "{encoding} {tensor}");
    stored.retain(|(_, value)| *value != 0 || !encoding.fills());
    let coo = tensor.to_coo().into_iter().map(|(index, value)| (index.to_vec(), value)).collect();
    assert_eq!(sorted(coo), stored, "{encoding} {tensor}");
    let twin = DynSparseTensor::assemble(encoding, parts).expect("the arrays of a tensor");
    assert_eq!(sorted(twin.to_coo()), stored, "{encoding} {tensor}");
    let own = SparseTensor::<E, i32>::assemble(tensor.clone().disassemble());
    assert_eq!(own.as_ref(), Ok(tensor), "{encoding}");
    // Summing equal entries gives the same array.
    if let Ok(again) = SparseTensor::<E, i32>::from_coo(shape, &tensor.to_coo(), Duplicates::Sum) {
        assert_eq!(again.to_dense().as_ref(), Ok(&dense), "{encoding} {tensor}");
    }
}
