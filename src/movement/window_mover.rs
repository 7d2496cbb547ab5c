//! Windows of arrays whose layout is only known at run time, at any index, without a plan for each.

use super::error::PackError;
use super::transfer::check_layout;
use super::window::{self, WindowLoops};
use core::fmt;
use layout_core::tiled::TiledSpec;

/// Writes and reads windows of packed arrays in one layout. It is planned once, however many windows there are and
/// wherever they begin.
///
/// The functions of [`DynLayout`] plan in each call, and a [`Mover`] is for one window at a fixed index. A window mover is for
/// windows that move, such as the rows that a cache grows by. It keeps the loops that all windows of its layout have in
/// common, which is most of a plan. Where there are none to keep, since dimensions are combined or a layout cuts them more
/// than 16 times, it plans in each call too.
///
/// ```
/// use tensor_layout::{TiledSpec, WindowMover};
/// let spec: TiledSpec = "s8[3,5]{1,0:T(2,2)}".parse()?;
/// let rows = WindowMover::new(&spec)?;
/// let mut packed = vec![0; spec.bytes()];
/// for row in 0..3 {
///     rows.pack_bytes(&[row, 0], &[1, 5], &[row as u8; 5], &mut packed)?;
/// }
/// let mut column = [0; 3];
/// rows.unpack_bytes(&[0, 4], &[3, 1], &packed, &mut column)?;
/// assert_eq!(column, [0, 1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`DynLayout`]: super::DynLayout
/// [`Mover`]: super::Mover
#[derive(Clone)]
pub struct WindowMover {
    spec: TiledSpec,
    loops: Option<WindowLoops>,
}

impl WindowMover {
    /// Plans for all windows of a layout.
    ///
    /// # Errors
    /// If the layout has an unbounded dimension or splits the array between memories.
    pub fn new(spec: &TiledSpec) -> Result<Self, PackError> {
        check_layout(spec)?;
        Ok(Self { spec: *spec, loops: WindowLoops::of(spec) })
    }

    /// Writes the window of `shape` from index `first` on from a row-major array of that shape, given as bytes. Nothing else
    /// of `packed` changes, padding included.
    ///
    /// # Errors
    /// As [`DynLayout::pack_window_bytes`](super::DynLayout::pack_window_bytes).
    pub fn pack_bytes(
        &self,
        first: &[usize],
        shape: &[usize],
        row_major: &[u8],
        packed: &mut [u8],
    ) -> Result<(), PackError> {
        window::pack_by(self.loops.as_ref(), &self.spec, (first, shape), row_major, packed)
    }

    /// Reads the window of `shape` from index `first` on into a row-major array of that shape, given as bytes.
    ///
    /// # Errors
    /// As [`DynLayout::unpack_window_bytes`](super::DynLayout::unpack_window_bytes).
    pub fn unpack_bytes(
        &self,
        first: &[usize],
        shape: &[usize],
        packed: &[u8],
        row_major: &mut [u8],
    ) -> Result<(), PackError> {
        window::unpack_by(self.loops.as_ref(), &self.spec, (first, shape), packed, row_major)
    }
}

impl fmt::Debug for WindowMover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WindowMover({})", self.spec)
    }
}
