//! Moves windows at any index of arrays whose layout is only known at run time, without a plan for each.

use super::error::PackError;
use super::run_time::check_shape;
use super::transfer::check_layout;
use super::window::{self, WindowLoops};
use core::fmt;
use layout_core::tiled::TiledSpec;

/// Writes and reads windows of packed arrays in one layout. It is planned once for all windows, whatever their number and
/// position.
///
/// The functions of [`DynLayout`] plan in each call, and a [`Mover`] is for one window at a fixed index. A window mover is for
/// windows that move, such as the rows that are appended to a cache. It stores the loops that all windows of its layout have in
/// common, which are most of a plan. If these loops cannot be stored, because dimensions are combined or walked, or because there
/// are more than 16 loops, each call plans.
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

    /// Writes the window of shape `shape` that starts at index `first` from a row-major array of that shape, given as bytes.
    /// Nothing else in `packed` changes, not even padding.
    ///
    /// # Errors
    /// As for [`DynLayout::pack_window_bytes`](super::DynLayout::pack_window_bytes).
    pub fn pack_bytes(
        &self,
        first: &[usize],
        shape: &[usize],
        row_major: &[u8],
        packed: &mut [u8],
    ) -> Result<(), PackError> {
        window::pack_by(self.loops.as_ref(), &self.spec, (first, shape), row_major, packed)
    }

    /// Reads the window of shape `shape` that starts at index `first` into a row-major array of that shape, given as bytes.
    ///
    /// # Errors
    /// As for [`DynLayout::unpack_window_bytes`](super::DynLayout::unpack_window_bytes).
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

/// Moves windows of packed arrays from one layout to another. Like a [`WindowMover`], it is planned once for all windows.
///
/// ```
/// use tensor_layout::{TiledSpec, WindowRelayout};
/// let tiles: TiledSpec = "s8[3,5]{1,0:T(2,2)}".parse()?;
/// let columns: TiledSpec = "s8[3,5]{0,1}".parse()?;
/// let windows = WindowRelayout::new(&columns, &tiles)?;
/// let (from, mut to) = ([7; 15], vec![0; tiles.bytes()]);
/// for row in [0, 2] {
///     windows.run_bytes(&[row, 1], &[1, 2], &from, &mut to)?;
/// }
/// // Each tile of 2 x 2 elements follows the one before.
/// assert_eq!(to[..8], [0, 7, 0, 0, 7, 0, 0, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct WindowRelayout {
    source: TiledSpec,
    destination: TiledSpec,
    loops: Option<WindowLoops>,
}

impl WindowRelayout {
    /// Plans for all windows from the layout `source` to the layout `destination`.
    ///
    /// # Errors
    /// If the layouts differ in shape or element type, and as for [`WindowMover::new`].
    pub fn new(source: &TiledSpec, destination: &TiledSpec) -> Result<Self, PackError> {
        check_shape(source, destination)?;
        check_layout(source)?;
        check_layout(destination)?;
        let loops = WindowLoops::between(source, destination);
        Ok(Self { source: *source, destination: *destination, loops })
    }

    /// Moves the window of shape `shape` that starts at index `first` of the packed array `from` to the same indices of the
    /// packed array `to`. Nothing else in `to` changes, not even padding.
    ///
    /// # Errors
    /// As for [`DynLayout::relayout_window_bytes`](super::DynLayout::relayout_window_bytes).
    pub fn run_bytes(
        &self,
        first: &[usize],
        shape: &[usize],
        from: &[u8],
        to: &mut [u8],
    ) -> Result<(), PackError> {
        let (loops, window) = (self.loops.as_ref(), (first, shape));
        window::relayout_by(loops, &self.source, window, from, &self.destination, to)
    }
}

impl fmt::Debug for WindowRelayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WindowRelayout({} to {})", self.source, self.destination)
    }
}
