//! Movements that are planned once and run many times.

use super::error::PackError;
use super::execute::Planned;
use super::host::{bytes_of, bytes_of_mut};
use super::padding;
use super::pairs::Pairs;
use super::plan::{Nest, Plan};
use super::run_time::{check_shape, check_type};
use super::step::{ArrayFacts, Program};
use super::transfer::{self, Values, check_elements, check_layout, host_bits, is_plain};
use super::window::Window;
use crate::element::Element;
use alloc::vec::Vec;
use core::fmt;
use layout_core::parts::IndexMap;
use layout_core::tiled::TiledSpec;

/// A movement between two arrays whose layouts are only known at run time, planned once and run many times.
///
/// A [`Plan`] is the loop nest between two layouts. A mover is that nest for one element type and for arrays of known lengths,
/// with the kernel of each piece already chosen, as rustc prepares it for a layout type. The functions of [`DynLayout`] that move
/// arrays plan in each call and run once, which costs some microseconds; if one layout moves many arrays, plan a mover instead.
///
/// | movement | planned by | run by |
/// |---|---|---|
/// | row-major to packed | [`Mover::for_pack`] | `run`, or `run_bytes` |
/// | packed to row-major | [`Mover::for_unpack`] | `run`, or `run_bytes` |
/// | packed to packed | [`Mover::for_relayout`] | `run_bytes` |
/// | the same, of a window at a fixed index | `for_pack_window`, `for_unpack_window`, `for_relayout_window` | as above |
/// | windows at any index | [`WindowMover`](super::WindowMover), [`WindowRelayout`](super::WindowRelayout) | its methods |
///
/// Planning checks the layouts; each run checks the lengths, the element type, and that values narrower than a byte fit their type.
/// Planning is quadratic in the number of parts, independent of the sizes of the arrays, and allocates one block of fixed size. A
/// run is linear in the bytes of both arrays and allocates nothing, except with the feature `parallel`, which allocates a list of
/// the parts of a large array.
///
/// A mover contains no array, so threads can share one.
///
/// ```
/// use tensor_layout::{F32, Mover, TiledSpec};
///
/// let spec: TiledSpec = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// let (pack, unpack) = (Mover::for_pack(&spec)?, Mover::for_unpack(&spec)?);
/// let mut packed = vec![0; spec.bytes()];
/// for start in [0.0, 100.0] {
///     let values: Vec<f32> = (0..15).map(|n| start + n as f32).collect();
///     pack.run::<F32>(&values, &mut packed)?;
///     let mut back = vec![0.0; 15];
///     unpack.run::<F32>(&packed, &mut back)?;
///     assert_eq!(back, values);
/// }
///
/// let error = pack.run::<F32>(&[0.0; 14], &mut packed).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "row-major array has 14 elements, but the layout `f32[3,5]{1,0:T(2,2)}` has 15"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`DynLayout`]: super::DynLayout
pub struct Mover<D> {
    /// Always one item. A vector, because allocating a box cannot report an error.
    state: Vec<State<D>>,
}

/// The direction of a [`Mover`] from a row-major array to a packed one, as planned by [`Mover::for_pack`].
///
/// ```
/// use tensor_layout::movement::{Mover, Pack};
/// use tensor_layout::{F32, TiledSpec};
/// let spec: TiledSpec = "f32[2,3]{0,1}".parse()?;
/// let pack: Mover<Pack> = Mover::for_pack(&spec)?;
/// let mut columns = vec![0; spec.bytes()];
/// pack.run::<F32>(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], &mut columns)?;
/// assert_eq!(columns[4..8], 4.0_f32.to_le_bytes());               // below the first element
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Pack {
    rows: IndexMap,
}

/// The direction of a [`Mover`] from a packed array to a row-major one, as planned by [`Mover::for_unpack`].
///
/// ```
/// use tensor_layout::movement::{Mover, Unpack};
/// use tensor_layout::{S8, TiledSpec};
/// let spec: TiledSpec = "s8[2,3]{0,1}".parse()?;
/// let unpack: Mover<Unpack> = Mover::for_unpack(&spec)?;
/// let mut rows = [0; 6];
/// unpack.run::<S8>(&[1, 4, 2, 5, 3, 6], &mut rows)?;
/// assert_eq!(rows, [1, 2, 3, 4, 5, 6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Unpack {
    rows: IndexMap,
}

/// The direction of a [`Mover`] from one packed array to another, as planned by [`Mover::for_relayout`].
///
/// ```
/// use tensor_layout::TiledSpec;
/// use tensor_layout::movement::{Mover, Relayout};
/// let (columns, rows): (TiledSpec, TiledSpec) = ("s8[2,3]{0,1}".parse()?, "s8[2,3]{1,0}".parse()?);
/// let relayout: Mover<Relayout> = Mover::for_relayout(&columns, &rows)?;
/// let mut to = [0; 6];
/// relayout.run_bytes(&[1, 4, 2, 5, 3, 6], &mut to)?;
/// assert_eq!(to, [1, 2, 3, 4, 5, 6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Relayout {
    destination: TiledSpec,
}

#[derive(Clone)]
struct State<D> {
    /// The layout of the packed array; for a relayout, the layout of the source.
    spec: TiledSpec,
    direction: D,
    nest: Nest,
    /// The steps of the whole movement, if there are few and elements of whole bytes keep their width.
    program: Option<Program>,
    /// The positions of the elements one by one, if there are few.
    pairs: Option<Pairs>,
    /// The bytes of the source and of the destination.
    len: [usize; 2],
    /// Whether bytes are moved unchanged, so that only the lengths must be checked.
    plain: bool,
    /// Whether the destination has padding that a run writes.
    padded: bool,
    /// The number of elements of the window; `None` if the whole array is moved, padding included.
    window: Option<usize>,
}

mod sealed {
    use super::{IndexMap, TiledSpec, is_plain};
    use core::fmt;

    /// The differences between the three movements. `spec` is the layout of the packed array; for a relayout, the layout of the
    /// source.
    pub trait Direction: Clone {
        /// The index maps of source and destination.
        fn maps<'a>(&'a self, spec: &'a TiledSpec) -> [&'a IndexMap; 2];

        /// The number of bits of an element in the source and in the destination.
        fn bits(&self, spec: &TiledSpec) -> [usize; 2];

        /// The layout of the destination, if it is packed.
        fn written<'a>(&'a self, spec: &'a TiledSpec) -> Option<&'a TiledSpec>;

        /// Whether elements of whole bytes are moved unchanged, whatever their values.
        fn is_plain(&self, spec: &TiledSpec) -> bool {
            is_plain(spec)
        }

        /// Writes a description of the movement for `Debug`.
        fn write(&self, spec: &TiledSpec, f: &mut fmt::Formatter<'_>) -> fmt::Result;
    }
}
use sealed::Direction;

impl Direction for Pack {
    fn maps<'a>(&'a self, spec: &'a TiledSpec) -> [&'a IndexMap; 2] {
        [&self.rows, spec.map()]
    }

    fn bits(&self, spec: &TiledSpec) -> [usize; 2] {
        [host_bits(spec.dtype()), spec.stored_bits()]
    }

    fn written<'a>(&'a self, spec: &'a TiledSpec) -> Option<&'a TiledSpec> {
        Some(spec)
    }

    fn write(&self, spec: &TiledSpec, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pack {spec}")
    }
}

impl Direction for Unpack {
    fn maps<'a>(&'a self, spec: &'a TiledSpec) -> [&'a IndexMap; 2] {
        [spec.map(), &self.rows]
    }

    fn bits(&self, spec: &TiledSpec) -> [usize; 2] {
        [spec.stored_bits(), host_bits(spec.dtype())]
    }

    fn written<'a>(&'a self, _: &'a TiledSpec) -> Option<&'a TiledSpec> {
        None
    }

    fn write(&self, spec: &TiledSpec, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unpack {spec}")
    }
}

impl Direction for Relayout {
    fn maps<'a>(&'a self, spec: &'a TiledSpec) -> [&'a IndexMap; 2] {
        [spec.map(), self.destination.map()]
    }

    fn bits(&self, spec: &TiledSpec) -> [usize; 2] {
        [spec.stored_bits(), self.destination.stored_bits()]
    }

    fn written<'a>(&'a self, _: &'a TiledSpec) -> Option<&'a TiledSpec> {
        Some(&self.destination)
    }

    fn is_plain(&self, spec: &TiledSpec) -> bool {
        let [from, to] = self.bits(spec);
        from == to && from >= 8
    }

    fn write(&self, spec: &TiledSpec, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "relayout {spec} to {}", self.destination)
    }
}

impl<D: Direction> Mover<D> {
    /// The mover for a nest. `len` is the number of bytes of the source and of the destination; `window` is the number of
    /// elements of a window.
    fn keep(
        spec: &TiledSpec,
        direction: D,
        nest: Nest,
        len: [usize; 2],
        window: Option<usize>,
    ) -> Result<Self, PackError> {
        let mut state = reserved::<D>(spec)?;
        let written = if window.is_none() { direction.written(spec) } else { None };
        // A row-major array has no padding: the next row follows the end of a row. And windows leave padding unchanged.
        let zero_padding = written.is_some_and(|written| written.padded().is_none());
        let padded = written.is_some_and(|written| written.len() > written.elements());
        let plain = direction.is_plain(spec);
        let (program, pairs) = (None, None);
        state.push(State {
            spec: *spec,
            direction,
            nest,
            program,
            pairs,
            len,
            plain,
            padded,
            window,
        });
        let kept = &mut state[0];
        let [from, to] = kept.direction.bits(spec);
        if from == to && from >= 8 {
            let width = from / 8;
            let elements = window.unwrap_or_else(|| spec.elements());
            kept.program = Program::of(&kept.nest, ArrayFacts { width, len, zero_padding });
            kept.pairs = Pairs::of(kept.planned(), elements, width);
        }
        Ok(Self { state })
    }

    /// A copy of the mover. Unlike [`Clone`], it returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the copy cannot be allocated.
    pub fn try_clone(&self) -> Result<Self, PackError> {
        let mut state = reserved::<D>(&self.state().spec)?;
        state.push(self.state().clone());
        Ok(Self { state })
    }

    fn state(&self) -> &State<D> {
        &self.state[0]
    }
}

/// Memory for the state of one mover.
fn reserved<D>(spec: &TiledSpec) -> Result<Vec<State<D>>, PackError> {
    let mut state = Vec::new();
    match state.try_reserve_exact(1) {
        Ok(()) => Ok(state),
        Err(_) => {
            Err(PackError::OutOfMemory { bytes: size_of::<State<D>>(), layout: (*spec).into() })
        }
    }
}

impl<D: Direction> State<D> {
    /// If only the lengths must be checked, and they are correct, moves the arrays; otherwise returns false.
    #[inline]
    fn run_plain(&self, source: &[u8], destination: &mut [u8]) -> bool {
        if !self.plain || self.len != [source.len(), destination.len()] {
            return false;
        }
        if self.pairs.is_none() && self.program.is_none() {
            return false;
        }
        if self.padded
            && let Some(written) = self.direction.written(&self.spec)
        {
            padding::write(written, destination);
        }
        match (&self.pairs, &self.program) {
            (Some(pairs), _) => pairs.run(source, destination),
            (None, Some(program)) => transfer::run(program.steps(), source, destination),
            (None, None) => {}
        }
        true
    }

    fn planned(&self) -> Planned<'_> {
        let [source, destination] = self.direction.maps(&self.spec);
        let program = self.program.as_ref();
        Planned { nest: &self.nest, source: Some(source), destination, program }
    }
}

/// The number of bytes of a row-major array of `elements` elements.
fn row_major_bytes(spec: &TiledSpec, elements: usize) -> usize {
    elements * spec.dtype().byte_width()
}

impl Mover<Pack> {
    /// Plans to pack row-major arrays into the layout `spec`.
    ///
    /// # Errors
    /// If `spec` has an unbounded dimension or splits the array between memories, or if memory for the plan cannot be
    /// allocated.
    pub fn for_pack(spec: &TiledSpec) -> Result<Self, PackError> {
        check_layout(spec)?;
        let rows = transfer::row_major(spec);
        let nest = transfer::plan(&rows, spec.map()).nest;
        let len = [row_major_bytes(spec, spec.elements()), spec.storage_bytes()];
        Self::keep(spec, Pack { rows }, nest, len, None)
    }

    /// Plans to write the window of shape `shape` that starts at index `first` from row-major arrays of that shape. A run
    /// changes nothing else in the packed array, not even padding.
    ///
    /// # Errors
    /// As for [`Mover::for_pack`], or if the window is not within the array.
    pub fn for_pack_window(
        spec: &TiledSpec,
        first: &[usize],
        shape: &[usize],
    ) -> Result<Self, PackError> {
        let window = Window::new(spec, first, shape)?;
        let (rows, elements) = (window.rows, window.elements());
        let nest = Plan::window(&rows, spec.map(), window.bounds(), Some(0)).nest;
        let len = [row_major_bytes(spec, elements), spec.storage_bytes()];
        Self::keep(spec, Pack { rows }, nest, len, Some(elements))
    }

    /// Packs a row-major array, of the shape of the layout or of the window, into `packed`, whose length must be
    /// [`TiledSpec::storage_bytes`].
    ///
    /// # Errors
    /// If the layout has another element type, if either slice has the wrong length, or if a value does not fit the element
    /// type. `packed` is then unchanged, except that values narrower than a byte are only checked as they are packed: if one
    /// does not fit, the contents of `packed` are unspecified.
    pub fn run<E: Element>(
        &self,
        row_major: &[E::Host],
        packed: &mut [u8],
    ) -> Result<(), PackError> {
        let state = self.state();
        check_type::<E>(&state.spec)?;
        let bytes = bytes_of(row_major);
        if state.window.is_none() && bytes.len() != state.len[0] {
            check_elements(&state.spec, row_major.len())?;
        }
        self.run_values(Values::Slice(bytes), packed)
    }

    /// [`Mover::run`] for host values given as bytes: little-endian, [`DType::byte_width`] for each element, at any address.
    ///
    /// # Errors
    /// As for [`Mover::run`].
    ///
    /// [`DType::byte_width`]: crate::DType::byte_width
    pub fn run_bytes(&self, row_major: &[u8], packed: &mut [u8]) -> Result<(), PackError> {
        self.run_values(Values::Bytes(row_major), packed)
    }

    fn run_values(&self, values: Values<'_>, packed: &mut [u8]) -> Result<(), PackError> {
        let state = self.state();
        let (Values::Bytes(row_major) | Values::Slice(row_major)) = values;
        if state.run_plain(row_major, packed) {
            return Ok(());
        }
        match state.window {
            None => transfer::pack(&state.spec, state.planned(), values, packed),
            Some(elements) => {
                transfer::pack_window(&state.spec, state.planned(), elements, values, packed)
            }
        }
    }
}

impl Mover<Unpack> {
    /// Plans to unpack arrays in the layout `spec` into row-major ones.
    ///
    /// # Errors
    /// As for [`Mover::for_pack`].
    pub fn for_unpack(spec: &TiledSpec) -> Result<Self, PackError> {
        check_layout(spec)?;
        let rows = transfer::row_major(spec);
        let nest = transfer::plan(spec.map(), &rows).nest;
        let len = [spec.storage_bytes(), row_major_bytes(spec, spec.elements())];
        Self::keep(spec, Unpack { rows }, nest, len, None)
    }

    /// Plans to read the window of shape `shape` that starts at index `first` into row-major arrays of that shape.
    ///
    /// # Errors
    /// As for [`Mover::for_pack_window`].
    pub fn for_unpack_window(
        spec: &TiledSpec,
        first: &[usize],
        shape: &[usize],
    ) -> Result<Self, PackError> {
        let window = Window::new(spec, first, shape)?;
        let (rows, elements) = (window.rows, window.elements());
        let nest = Plan::window(spec.map(), &rows, window.bounds(), Some(1)).nest;
        let len = [spec.storage_bytes(), row_major_bytes(spec, elements)];
        Self::keep(spec, Unpack { rows }, nest, len, Some(elements))
    }

    /// Unpacks into a row-major array of the shape of the layout or of the window. Padding is not read.
    ///
    /// # Errors
    /// If the layout has another element type, or if either slice has the wrong length. `row_major` is then unchanged.
    #[allow(unsafe_code, reason = "slices of host values are written as bytes")]
    pub fn run<E: Element>(
        &self,
        packed: &[u8],
        row_major: &mut [E::Host],
    ) -> Result<(), PackError> {
        let state = self.state();
        check_type::<E>(&state.spec)?;
        let elements = row_major.len();
        // SAFETY: unpacking leaves 0 or 1 in each byte of a `bool` that it writes.
        let row_major = unsafe { bytes_of_mut(row_major) };
        if state.window.is_none() && row_major.len() != state.len[1] {
            check_elements(&state.spec, elements)?;
        }
        self.run_bytes(packed, row_major)
    }

    /// [`Mover::run`] for host values given as bytes, the reverse of [`Mover::<Pack>::run_bytes`].
    ///
    /// # Errors
    /// As for [`Mover::run`].
    pub fn run_bytes(&self, packed: &[u8], row_major: &mut [u8]) -> Result<(), PackError> {
        let state = self.state();
        if state.run_plain(packed, row_major) {
            return Ok(());
        }
        let elements = state.window.unwrap_or_else(|| state.spec.elements());
        transfer::unpack_window(&state.spec, state.planned(), elements, packed, row_major)
    }
}

impl Mover<Relayout> {
    /// Plans to move packed arrays from the layout `source` to the layout `destination`.
    ///
    /// ```
    /// use tensor_layout::{DynLayout, Mover, S8, TiledSpec};
    /// let rows: TiledSpec = "s8[3,5]{1,0:T(2,2)}".parse()?;
    /// let columns: TiledSpec = "s8[3,5]{0,1}".parse()?;
    /// let mover = Mover::for_relayout(&rows, &columns)?;
    /// let from = rows.pack::<S8>(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14])?;
    /// let mut to = [0; 15];
    /// mover.run_bytes(&from, &mut to)?;
    /// assert_eq!(to, [0, 5, 10, 1, 6, 11, 2, 7, 12, 3, 8, 13, 4, 9, 14]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the layouts differ in shape or element type, and as for [`Mover::for_pack`].
    pub fn for_relayout(source: &TiledSpec, destination: &TiledSpec) -> Result<Self, PackError> {
        check_shape(source, destination)?;
        check_layout(source)?;
        check_layout(destination)?;
        let nest = transfer::plan(source.map(), destination.map()).nest;
        let len = [source.storage_bytes(), destination.storage_bytes()];
        Self::keep(source, Relayout { destination: *destination }, nest, len, None)
    }

    /// Plans to move the window of shape `shape` that starts at index `first` from arrays in the layout `source` to the same
    /// window of arrays in the layout `destination`. A run changes nothing else in the destination, not even padding.
    ///
    /// # Errors
    /// As for [`Mover::for_relayout`], or if the window is not within the array.
    pub fn for_relayout_window(
        source: &TiledSpec,
        destination: &TiledSpec,
        first: &[usize],
        shape: &[usize],
    ) -> Result<Self, PackError> {
        check_shape(source, destination)?;
        check_layout(destination)?;
        let window = Window::new(source, first, shape)?;
        let nest = Plan::window(source.map(), destination.map(), window.bounds(), None).nest;
        let len = [source.storage_bytes(), destination.storage_bytes()];
        let direction = Relayout { destination: *destination };
        Self::keep(source, direction, nest, len, Some(window.elements()))
    }

    /// Moves the packed array `from` to the packed array `to`. Their lengths must be the [`TiledSpec::storage_bytes`] of their
    /// layouts.
    ///
    /// # Errors
    /// If either slice has the wrong length. `to` is then unchanged.
    pub fn run_bytes(&self, from: &[u8], to: &mut [u8]) -> Result<(), PackError> {
        let state = self.state();
        if state.run_plain(from, to) {
            return Ok(());
        }
        let (source, destination) = ((&state.spec, from), (&state.direction.destination, to));
        match state.window {
            None => transfer::relayout(state.planned(), source, destination),
            Some(_) => transfer::relayout_window(state.planned(), source, destination),
        }
    }
}

impl<D: Direction> Clone for Mover<D> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone() }
    }
}

impl<D: Direction> fmt::Debug for Mover<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let State { spec, direction, window, .. } = self.state();
        f.write_str("Mover(")?;
        direction.write(spec, f)?;
        match window {
            None => f.write_str(")"),
            Some(elements) => write!(f, ", a window of {elements} elements)"),
        }
    }
}
