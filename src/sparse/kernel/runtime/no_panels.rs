//! What generated kernels call instead of `panels` on targets that do not add a product to a sum in one instruction: their loops run.

use super::{LevelRef, Number, WidenTo};
use crate::sparse::Encoding;
use crate::sparse::kernel::KernelError;
use core::ops::Range;

macro_rules! no_panels {
    ($($name:ident $LEVEL:literal;)*) => { $(
        /// Returns `false`: the loops of the kernel are faster.
        ///
        /// # Errors
        /// None.
        pub fn $name<
            E: Encoding,
            A: Copy + WidenTo<T> + 'static,
            B: Copy + WidenTo<T> + 'static,
            T: Number,
            const FIRST: usize,
            const SECOND: usize,
            const GROUP: usize,
            const LANES: usize,
            const NARROW: usize,
        >(
            _: LevelRef<'_, E, $LEVEL>,
            _: (Range<usize>, &[A]),
            _: (usize, &[B]),
            _: &mut [T],
        ) -> Result<bool, KernelError> {
            Ok(false)
        }
    )* };
}
no_panels! { blocks_by_panels 1; structured_by_panels 2; }
