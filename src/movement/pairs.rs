//! Arrays with so few elements that a list of their positions is faster than any loop nest.

use super::execute::{Block, MoveBlock, Planned, execute};
use super::regions::Axis;

/// The largest number of elements of such an array.
pub(crate) const MAX_ELEMENTS: usize = 32;

/// The byte at which each element starts in the source and in the destination.
///
/// `s8[2,3]{1,0}` to `{0,1}`: `[0, 0]`, `[3, 1]`, `[1, 2]`, `[4, 3]`, `[2, 4]`, `[5, 5]`.
#[derive(Clone)]
pub(crate) struct Pairs {
    list: [[u32; 2]; MAX_ELEMENTS],
    len: usize,
    /// The bytes of an element.
    width: usize,
}

impl Pairs {
    /// The list for elements of `width` bytes; `None` if there are too many, or if the arrays are too large.
    pub(crate) fn of(planned: Planned<'_>, elements: usize, width: usize) -> Option<Self> {
        if elements > MAX_ELEMENTS || !matches!(width, 1 | 2 | 4 | 8) {
            return None;
        }
        let mut recorder =
            Recorder { pairs: Self { list: [[0; 2]; MAX_ELEMENTS], len: 0, width }, fits: true };
        execute(planned, &mut recorder);
        recorder.fits.then_some(recorder.pairs)
    }

    /// Moves the elements.
    ///
    /// # Panics
    /// If an element is outside of its array.
    pub(crate) fn run(&self, source: &[u8], destination: &mut [u8]) {
        macro_rules! width { ($($W:literal)*) => { match self.width { $(
            $W => for [from, to] in &self.list[..self.len] {
                let value = &source[*from as usize..][..$W];
                destination[*to as usize..][..$W].copy_from_slice(value);
            },
        )* _ => unreachable!("checked when the list was made") } } }
        width!(1 2 4 8);
    }
}

/// Records the positions of elements instead of moving them.
struct Recorder {
    pairs: Pairs,
    fits: bool,
}

impl MoveBlock for Recorder {
    fn move_block(&mut self, block: &Block) {
        let [.., outer, inner] = block.axes;
        block.rectangles(|from, to| {
            for i in 0..outer.count {
                for j in 0..inner.count {
                    let at = |first, side: fn(&Axis) -> usize| {
                        first + i * side(&outer) + j * side(&inner)
                    };
                    self.note(at(from, |axis| axis.source), at(to, |axis| axis.destination));
                }
            }
        });
    }
}

impl Recorder {
    fn note(&mut self, from: usize, to: usize) {
        let Pairs { list, len, width } = &mut self.pairs;
        let [from, to] =
            [from, to].map(|at| at.checked_mul(*width).and_then(|at| at.try_into().ok()));
        match (list.get_mut(*len), from, to) {
            (Some(pair), Some(from), Some(to)) => {
                *pair = [from, to];
                *len += 1;
            }
            _ => self.fits = false,
        }
    }
}
