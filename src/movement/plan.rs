//! Plans: the order in which the elements of an array move from one layout to another.
//!
//! Both layouts are tables of parts, and each dimension is cut wherever either layout cuts it: this is their common refinement.
//! Each piece then has one stride in the source and one in the destination, and is a loop. A row-major array is just another
//! layout, so one algorithm packs, unpacks and relayouts. To move `f32[16,256]` from tiles of `(8,128)` to tiles of `(4,128)`, the
//! source cuts the rows at 8 and the destination at 4: `d0 floordiv 8` has the strides 2048 and 2048, `d0 floordiv 4 mod 2` has 512
//! and 1024, and `d0 mod 4` has 128 and 128.

use super::step::{ArrayFacts, Step};
use core::fmt;
use layout_core::parts::{Group, IndexMap, MAX_RANK, RefinedPart, Refinement, spans};

/// The largest number of loops of a plan. Every loop has at least two values and the array fits the address space, so there are at
/// most 64, plus at most two for each dimension: one if its size is not a power of two, and one if its period is not.
pub(crate) const MAX_LOOPS: usize = 64 + 2 * MAX_RANK;

/// One loop: `(y floordiv div) mod size` for a dimension `y`, with its strides in both arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Loop {
    /// The dimensions of the loop, a bit for each.
    pub(crate) dims: u16,
    pub(crate) div: usize,
    pub(crate) size: usize,
    /// The elements from one value of the loop to the next, in each array.
    pub(crate) source: usize,
    pub(crate) destination: usize,
    /// Whether the dimension, or the period that contains the loop, can end before the loop does.
    pub(crate) ragged: bool,
    /// Whether several loops over contiguous elements, in both arrays, have been joined into this one.
    pub(crate) joined: bool,
}

impl Loop {
    pub(crate) const UNIT: Self =
        Self { dims: 0, div: 1, size: 1, source: 0, destination: 0, ragged: false, joined: false };

    /// The first of its dimensions, which represents all of them if the loop is ragged.
    #[inline]
    pub(crate) const fn dim(&self) -> usize {
        self.dims.trailing_zeros() as usize
    }

    /// Whether this loop and the loop `inner` within it can be one loop, because in both arrays the stride of the outer one is the
    /// extent of the inner one.
    const fn joins(&self, inner: &Self) -> bool {
        !self.ragged
            && !inner.ragged
            && spans(self.source, inner.source, inner.size)
            && spans(self.destination, inner.destination, inner.size)
    }
}

/// The order in which the elements of an array move from one layout to another: a loop nest, known before the first element
/// moves.
///
/// It displays as the nest. Dimensions whose parts have no common refinement (two layouts whose tiles do not divide each other, or
/// `*` over parts of dimensions) are walked one value at a time, with offsets from the index maps.
///
/// ```
/// use tensor_layout::{Layout, Plan, parts::IndexMap, tiled};
/// type Tiles = tiled!(f32[1000,256]{1,0:T(8,128)});
/// let row_major = IndexMap::row_major(&[1000, 256]).unwrap();
/// let plan = Plan::new(&row_major, Tiles::SPEC.map()).unwrap();
/// assert_eq!(plan.to_string(), "\
/// for d0 floordiv 8 in 0..125: source + 2048, destination + 2048
///   for d1 floordiv 128 in 0..2: source + 128, destination + 1024
///     for d0 mod 8 in 0..8: source + 256, destination + 128
///       for d1 mod 128 in 0..128: source + 1, destination + 1
///         move one element
/// ");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan<'a> {
    /// `None` if every element has the same source.
    pub(crate) source: Option<&'a IndexMap>,
    pub(crate) destination: &'a IndexMap,
    pub(crate) nest: Nest,
    /// The bits of an element in the source and in the destination, if known.
    bits: Option<(usize, usize)>,
}

/// The loop nest of a plan, without the maps, so that it can be stored next to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Nest {
    pub(crate) rank: usize,
    /// The dimensions that are walked, a bit for each.
    pub(crate) walked: u16,
    /// The number of values of each dimension. If several dimensions are split as one, the first has the number of values of
    /// all together.
    pub(crate) sizes: [usize; MAX_RANK],
    /// The period of each dimension: the number of values after which its split starts again, if the loops within do not divide
    /// it evenly; else 0.
    pub(crate) periods: [usize; MAX_RANK],
    /// The first value of each dimension that is moved.
    pub(crate) first: [usize; MAX_RANK],
    /// The dimensions that are not moved completely, a bit for each.
    pub(crate) windowed: u16,
    /// The offsets, in the source and in the destination, of the first element of a window if that array contains only the
    /// window: `[0]` for the dimensions that are loops, `[1]` for those that are walked.
    pub(crate) base: [[usize; 2]; 2],
    loops: [Loop; MAX_LOOPS],
    len: usize,
    /// Whether the plan moves no elements.
    pub(crate) empty: bool,
}

impl<'a> Plan<'a> {
    /// The plan to move every element of an array from the layout `source` to the layout `destination`; `None` if their shapes
    /// differ. Quadratic in the number of parts.
    pub const fn new(source: &'a IndexMap, destination: &'a IndexMap) -> Option<Self> {
        if source.rank() != destination.rank() {
            return None;
        }
        let mut nest = Nest::new(destination.rank());
        let mut dim = 0;
        while dim < destination.rank() {
            if source.bound(dim) != destination.bound(dim) {
                return None;
            }
            nest.sizes[dim] = source.bound(dim);
            nest.empty |= source.bound(dim) == 0;
            dim += 1;
        }
        nest.finish(source, destination);
        Some(Self { source: Some(source), destination, nest, bits: None })
    }

    /// The plan to move the window of shape `shape` that starts at `first` from the layout `source` to the layout
    /// `destination`, both of the whole array. If `own` is 0 or 1, the source or the destination contains only the window.
    pub(crate) const fn window(
        source: &'a IndexMap,
        destination: &'a IndexMap,
        (first, shape): (&[usize], &[usize]),
        own: Option<usize>,
    ) -> Self {
        let mut nest = Nest::of_window(destination, first, shape);
        let mut dim = destination.rank();
        nest.finish(source, destination);
        if let Some(own) = own {
            let rows = if own == 0 { source } else { destination };
            while dim > 0 {
                dim -= 1;
                let walked = (nest.walked >> dim & 1) as usize;
                nest.base[walked][own] += first[dim] * rows.parts()[dim].stride;
            }
        }
        Self { source: Some(source), destination, nest, bits: None }
    }

    /// The plan for elements of these widths in bits in the source and in the destination. Its text then also names the kernel
    /// that moves them.
    #[must_use]
    pub const fn with_bits(mut self, source: usize, destination: usize) -> Self {
        self.bits = Some((source, destination));
        self
    }

    /// The plan to write one element to every position of an array.
    pub(crate) const fn fill(destination: &'a IndexMap) -> Self {
        let Some(mut plan) = Self::new(destination, destination) else { unreachable!() };
        plan.source = None;
        let mut i = 0;
        while i < plan.nest.len {
            plan.nest.loops[i].source = 0;
            i += 1;
        }
        plan
    }
}

impl Nest {
    const fn new(rank: usize) -> Self {
        Self {
            rank,
            walked: 0,
            sizes: [1; MAX_RANK],
            periods: [0; MAX_RANK],
            first: [0; MAX_RANK],
            windowed: 0,
            base: [[0; 2]; 2],
            loops: [Loop::UNIT; MAX_LOOPS],
            len: 0,
            empty: false,
        }
    }

    /// A nest without loops for a window of an array whose index map is `map`.
    pub(crate) const fn of_window(map: &IndexMap, first: &[usize], shape: &[usize]) -> Self {
        let mut nest = Self::new(map.rank());
        let mut dim = 0;
        while dim < map.rank() {
            nest.first[dim] = first[dim];
            nest.sizes[dim] = first[dim] + shape[dim];
            nest.empty |= shape[dim] == 0;
            nest.windowed |= ((shape[dim] < map.bound(dim)) as u16) << dim;
            dim += 1;
        }
        nest
    }

    const fn finish(&mut self, source: &IndexMap, destination: &IndexMap) {
        if !self.empty {
            self.refine(source, destination);
            self.arrange();
        }
    }

    /// Joins adjacent loops, and makes the loops of one kernel adjacent.
    pub(crate) const fn arrange(&mut self) {
        self.join();
        self.pair();
    }

    /// Adds the loops of all dimensions, one for each part of the common refinement. A dimension without a common refinement is
    /// walked.
    const fn refine(&mut self, source: &IndexMap, destination: &IndexMap) {
        let maps = [source, destination];
        let mut done: u16 = 0;
        let mut dim = 0;
        while dim < self.rank {
            if done >> dim & 1 == 0 {
                done |= match Group::common(maps, dim) {
                    // A window of dimensions that are split as one has gaps.
                    Some(group) if group.is_alone() || self.windowed & group.mask() == 0 => {
                        self.split(maps, &group)
                    }
                    _ => {
                        self.walked |= 1 << dim;
                        1 << dim
                    }
                };
            }
            dim += 1;
        }
    }

    /// Adds the loops of one group; returns its dimensions.
    const fn split(&mut self, maps: [&IndexMap; 2], group: &Group) -> u16 {
        let (dims, bound) = (group.mask(), group.size(maps[0]));
        let Some(refinement) = Refinement::of(maps, group) else {
            self.walked |= dims;
            return dims;
        };
        if !group.is_alone() {
            self.sizes[dims.trailing_zeros() as usize] = bound;
        }
        let period = refinement.period();
        self.periods[dims.trailing_zeros() as usize] = period;
        let is_cut = !bound.is_multiple_of(refinement.last_div()) || self.windowed & dims != 0;
        let mut i = 0;
        while i < refinement.len() {
            let RefinedPart { div, size, strides: [source, destination] } = refinement.part(i);
            let ragged = is_cut || div < period;
            self.insert(Loop { dims, div, size, source, destination, ragged, joined: false });
            i += 1;
        }
        dims
    }

    /// The loops, outermost first.
    pub(crate) const fn loops(&self) -> &[Loop] {
        self.loops.split_at(self.len).0
    }

    /// Inserts a loop in order of its stride in the destination, with the largest outermost.
    pub(crate) const fn insert(&mut self, new: Loop) {
        let mut at = self.len;
        while at > 0 && self.loops[at - 1].destination < new.destination {
            self.loops[at] = self.loops[at - 1];
            at -= 1;
        }
        self.loops[at] = new;
        self.len += 1;
    }

    const fn remove(&mut self, at: usize) {
        self.len -= 1;
        let mut i = at;
        while i < self.len {
            self.loops[i] = self.loops[i + 1];
            i += 1;
        }
    }

    /// Joins adjacent loops whose elements are contiguous in both arrays.
    const fn join(&mut self) {
        let mut i = 1;
        while i < self.len {
            let (outer, inner) = (self.loops[i - 1], self.loops[i]);
            if outer.joins(&inner) {
                self.loops[i - 1] =
                    Loop { dims: outer.dims | inner.dims, size: outer.size * inner.size, ..inner };
                self.remove(i);
            } else {
                i += 1;
            }
        }
    }

    /// If the contiguous loops of source and destination differ, makes them the two innermost loops, so that one kernel has
    /// both.
    const fn pair(&mut self) {
        if self.len == 0 || self.loops[self.len - 1].destination != 1 {
            return;
        }
        let last = self.len - 1;
        let mut at = 0;
        while at < last && self.loops[at].source != 1 {
            at += 1;
        }
        if at < last && self.loops[last].source != 1 {
            let contiguous = self.loops[at];
            while at + 1 < last {
                self.loops[at] = self.loops[at + 1];
                at += 1;
            }
            self.loops[at] = contiguous;
        }
    }
}

impl fmt::Display for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nest = &self.nest;
        if nest.empty {
            return f.write_str("nothing to move\n");
        }
        let mut depth = 0;
        for dim in (0..nest.rank).filter(|dim| nest.walked >> dim & 1 == 1) {
            let size = self.destination.bound(dim);
            writeln!(f, "{:depth$}for d{dim} in 0..{size}: both as their maps say", "")?;
            depth += 2;
        }
        for each in nest.loops() {
            write!(f, "{:depth$}for ", "")?;
            nest.write_values(f, each)?;
            writeln!(f, ": source + {}, destination + {}", each.source, each.destination)?;
            depth += 2;
        }
        write!(f, "{:depth$}", "")?;
        match self.bits {
            Some((bits, other)) if bits == other && bits >= 8 => {
                let len = [usize::MAX; 2];
                let arrays = ArrayFacts { width: bits / 8, len, zero_padding: true };
                writeln!(f, "{}", Step::of(&nest.region(0), arrays).0)
            }
            Some((8, bits @ ..8)) => writeln!(f, "pack bytes of an element each into {bits} bits"),
            Some((bits @ ..8, 8)) => {
                writeln!(f, "unpack {bits} bits into bytes of an element each")
            }
            Some((bits, other)) if bits != other => {
                writeln!(f, "move one element of {bits} bits into {other} bits")
            }
            _ => writeln!(f, "move one element"),
        }
    }
}

impl Nest {
    fn write_values(&self, f: &mut fmt::Formatter<'_>, each: &Loop) -> fmt::Result {
        let (size, div, dim) = (each.size, each.div, each.dim());
        let (value, bound) = match self.periods[dim] {
            period if each.ragged && div < period => (Value(each.dims, Some(period)), period),
            _ => (Value(each.dims, None), self.sizes[dim]),
        };
        if each.joined {
            return write!(f, "{value} in 0..{size}");
        }
        match (div > 1, size < bound.div_ceil(div)) {
            (false, false) => write!(f, "{value}")?,
            (false, true) => write!(f, "{value} mod {size}")?,
            (true, false) => write!(f, "{value} floordiv {div}")?,
            (true, true) => write!(f, "({value} floordiv {div}) mod {size}")?,
        }
        write!(f, " in 0..{size}")?;
        if each.ragged { write!(f, " while {value} < {bound}") } else { Ok(()) }
    }
}

/// One dimension, `d0`; several that are split as one, `(d0, d1)`; or a dimension with a period, `(d0 mod 5)`.
struct Value(u16, Option<usize>);

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(period) = self.1 {
            return write!(f, "({} mod {period})", Self(self.0, None));
        }
        if self.0.is_power_of_two() {
            return write!(f, "d{}", self.0.trailing_zeros());
        }
        let mut before = "(";
        for dim in (0..MAX_RANK).filter(|dim| self.0 >> dim & 1 == 1) {
            write!(f, "{before}d{dim}")?;
            before = ", ";
        }
        f.write_str(")")
    }
}
