//! Words of four bytes, one above the other, as pairs of `bf16`: what tile registers multiply if `B` has elements of 8 bits.
//!
//! With `s8[4096,4096]{1,0:T(8,128)(4,1)}`, a row of words has four rows of elements. They become two rows of words of a panel, of which
//! the first has the pairs of rows 0 and 1, and the second those of rows 2 and 3.
#![allow(unsafe_code, reason = "instructions that not every CPU has")]

use super::grid::Word;
use super::lanes::ByteTable;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::lanes::NO_TABLE;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::lookup;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
use super::widened::avx2;
use layout_core::dtype::DType;

/// Writes bytes 0 and 1 of each word as a pair of `bf16`, and bytes 2 and 3 as another, with a table of all bytes. The CPU must have the
/// instructions of the function.
pub(super) type WidenFn = unsafe fn(&ByteTable, &[Word], [&mut [Word]; 2]);

/// The conversion for a type. A value proves that the CPU has the instructions.
#[derive(Clone, Copy)]
pub(super) struct Widening {
    run: WidenFn,
    table: &'static ByteTable,
}

impl Widening {
    /// The conversion from elements of one type to those of another, if the CPU has instructions for it.
    pub(super) fn of(from: DType, to: DType) -> Option<Self> {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        if to == DType::BF16 && from.bits() == 8 {
            let (run, table) = lookup::widening(from)
                .or_else(|| avx2::widening(from).map(|run| (run, &NO_TABLE)))?;
            return Some(Self { run, table });
        }
        let _ = (from, to);
        None
    }

    /// Writes bytes 0 and 1 of each word as a pair of `bf16`, and bytes 2 and 3 as another.
    ///
    /// # Panics
    /// If there are fewer words to write.
    pub(super) fn widen(self, words: &[Word], to: [&mut [Word]; 2]) {
        // SAFETY: whoever made this value had proof that the CPU has the instructions.
        unsafe { (self.run)(self.table, words, to) }
    }
}
