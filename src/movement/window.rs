//! Windows: part of an array, packed and unpacked on its own.

use super::error::PackError;
use super::execute::Planned;
use super::plan::{Loop, Nest, Plan};
use super::run_time::check_shape;
use super::transfer::{self, Values};
use layout_core::parts::{Group, IndexMap, MAX_RANK, Refinement};
use layout_core::tiled::TiledSpec;

/// A window of `shape` in an array, from index `first` on.
pub(super) struct Window<'a> {
    first: &'a [usize],
    shape: &'a [usize],
    elements: usize,
    /// The row-major map of the window.
    pub(super) rows: IndexMap,
}

/// Checks that a window lies within the array; gives the number of its elements.
fn check(spec: &TiledSpec, first: &[usize], shape: &[usize]) -> Result<usize, PackError> {
    transfer::check_layout(spec)?;
    let error = |dim| PackError::Window { dim, layout: (*spec).into() };
    if first.len() != spec.rank() || shape.len() != spec.rank() {
        return Err(error(spec.rank().min(first.len()).min(shape.len())));
    }
    let fits = |dim: &usize| {
        first[*dim].checked_add(shape[*dim]).is_some_and(|end| end <= spec.dims()[*dim])
    };
    if let Some(dim) = (0..spec.rank()).find(|dim| !fits(dim)) {
        return Err(error(dim));
    }
    // No more than the array has, if none of the sizes is zero.
    Ok(if shape.contains(&0) { 0 } else { shape.iter().product() })
}

impl<'a> Window<'a> {
    /// Checks that the window lies within the array.
    pub(super) fn new(
        spec: &TiledSpec,
        first: &'a [usize],
        shape: &'a [usize],
    ) -> Result<Self, PackError> {
        let elements = check(spec, first, shape)?;
        Ok(Self { first, shape, elements, rows: transfer::row_major(spec).with_window(shape) })
    }

    pub(super) fn elements(&self) -> usize {
        self.elements
    }

    pub(super) fn bounds(&self) -> (&'a [usize], &'a [usize]) {
        (self.first, self.shape)
    }
}

/// Loops of a layout at most that are kept for its windows.
const MAX_KEPT: usize = 16;

/// What the plans for all windows of a layout have in common: planned once, by rustc for a layout that is a type.
///
/// The dimensions are cut where the layout cuts them, wherever a window begins. Its place and shape say which loops are
/// ragged, and the strides of the row-major array that holds the window alone.
#[derive(Clone, Copy)]
pub(crate) struct WindowLoops {
    /// The strides are those of the packed array, on either side.
    loops: [Loop; MAX_KEPT],
    len: usize,
    /// As in [`Nest`].
    periods: [usize; MAX_RANK],
    /// What the outermost loop of each dimension divides by.
    last_div: [usize; MAX_RANK],
}

impl WindowLoops {
    /// Those of a layout; `None` if dimensions are combined or walked, there are too many loops, or there is no element.
    pub(crate) const fn of(spec: &TiledSpec) -> Option<Self> {
        if spec.elements() == 0 {
            return None;
        }
        let (mut loops, mut len) = ([Loop::UNIT; MAX_KEPT], 0);
        let (mut periods, mut last_div) = ([0; MAX_RANK], [1; MAX_RANK]);
        let rows = transfer::row_major(spec);
        let maps = [&rows, spec.map()];
        let mut dim = 0;
        while dim < spec.rank() {
            let refinement = match Group::common(maps, dim) {
                Some(group) if group.is_alone() => match Refinement::of(maps, &group) {
                    Some(refinement) => refinement,
                    None => return None,
                },
                _ => return None,
            };
            if len + refinement.len() > MAX_KEPT {
                return None;
            }
            (periods[dim], last_div[dim]) = (refinement.period(), refinement.last_div());
            let mut i = 0;
            while i < refinement.len() {
                let part = refinement.part(i);
                let [_, stride] = part.strides;
                loops[len] = Loop {
                    dims: 1 << dim,
                    div: part.div,
                    size: part.size,
                    source: stride,
                    destination: stride,
                    ..Loop::UNIT
                };
                len += 1;
                i += 1;
            }
            dim += 1;
        }
        Some(Self { loops, len, periods, last_div })
    }

    /// The nest for a window of the layout, whose map this is; array number `own`, source or destination, holds the window
    /// alone. It is the one that [`Plan::window`] finds.
    fn nest(&self, map: &IndexMap, (first, shape): (&[usize], &[usize]), own: usize) -> Nest {
        let mut nest = Nest::of_window(map, first, shape);
        // Elements of the window from one index to the next.
        let mut strides = [1; MAX_RANK];
        for dim in (0..map.rank().saturating_sub(1)).rev() {
            strides[dim] = strides[dim + 1] * shape[dim + 1];
        }
        if !nest.empty {
            nest.periods = self.periods;
            for kept in &self.loops[..self.len] {
                let (mut each, dim) = (*kept, kept.dim());
                let is_cut = !map.bound(dim).is_multiple_of(self.last_div[dim])
                    || nest.windowed >> dim & 1 == 1;
                each.ragged = is_cut || each.div < self.periods[dim];
                let stride = if own == 0 { &mut each.source } else { &mut each.destination };
                *stride = each.div * strides[dim];
                nest.insert(each);
            }
            nest.arrange();
        }
        for (first, stride) in first.iter().zip(strides) {
            nest.base[0][own] += first * stride;
        }
        nest
    }
}

/// The plan for a window of a layout whose loops are known. No dimension is walked, so the maps are not asked.
fn planned<'a>(spec: &'a TiledSpec, nest: &'a Nest) -> Planned<'a> {
    Planned { nest, source: Some(spec.map()), destination: spec.map(), program: None }
}

/// [`pack`], where the loops are known.
pub(crate) fn pack_by(
    loops: Option<&WindowLoops>,
    spec: &TiledSpec,
    (first, shape): (&[usize], &[usize]),
    row_major: &[u8],
    packed: &mut [u8],
) -> Result<(), PackError> {
    let Some(loops) = loops else { return pack(spec, (first, shape), row_major, packed) };
    let elements = check(spec, first, shape)?;
    let nest = loops.nest(spec.map(), (first, shape), 0);
    let values = Values::Bytes(row_major);
    transfer::pack_window(spec, planned(spec, &nest), elements, values, packed)
}

/// [`unpack`], where the loops are known.
pub(crate) fn unpack_by(
    loops: Option<&WindowLoops>,
    spec: &TiledSpec,
    (first, shape): (&[usize], &[usize]),
    packed: &[u8],
    row_major: &mut [u8],
) -> Result<(), PackError> {
    let Some(loops) = loops else { return unpack(spec, (first, shape), packed, row_major) };
    let elements = check(spec, first, shape)?;
    let nest = loops.nest(spec.map(), (first, shape), 1);
    transfer::unpack_window(spec, planned(spec, &nest), elements, packed, row_major)
}

/// See [`DynLayout::pack_window_bytes`](super::DynLayout::pack_window_bytes).
pub(crate) fn pack(
    spec: &TiledSpec,
    (first, shape): (&[usize], &[usize]),
    row_major: &[u8],
    packed: &mut [u8],
) -> Result<(), PackError> {
    let window = Window::new(spec, first, shape)?;
    let plan = Plan::window(&window.rows, spec.map(), window.bounds(), Some(0));
    transfer::pack_window(spec, (&plan).into(), window.elements(), Values::Bytes(row_major), packed)
}

/// See [`DynLayout::unpack_window_bytes`](super::DynLayout::unpack_window_bytes).
pub(crate) fn unpack(
    spec: &TiledSpec,
    (first, shape): (&[usize], &[usize]),
    packed: &[u8],
    row_major: &mut [u8],
) -> Result<(), PackError> {
    let window = Window::new(spec, first, shape)?;
    let plan = Plan::window(spec.map(), &window.rows, window.bounds(), Some(1));
    transfer::unpack_window(spec, (&plan).into(), window.elements(), packed, row_major)
}

/// See [`DynLayout::relayout_window_bytes`](super::DynLayout::relayout_window_bytes).
pub(crate) fn relayout(
    spec: &TiledSpec,
    (first, shape): (&[usize], &[usize]),
    from: &[u8],
    destination: &TiledSpec,
    to: &mut [u8],
) -> Result<(), PackError> {
    check_shape(spec, destination)?;
    let window = Window::new(spec, first, shape)?;
    let plan = Plan::window(spec.map(), destination.map(), window.bounds(), None);
    transfer::relayout_window((&plan).into(), (spec, from), (destination, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movement::tests::reference::Random;
    use layout_core::dtype::DType;

    #[test]
    fn windows_are_planned_alike_from_loops_that_are_kept() {
        let (random, mut kept) = (&mut Random(23), 0);
        for _ in 0..2000 {
            let dims = random.dims();
            let spec = random.layout(DType::BF16, &dims);
            let Some(loops) = WindowLoops::of(&spec) else { continue };
            kept += 1;
            let first: Vec<usize> = dims.iter().map(|size| random.below(size + 1)).collect();
            let mut shape: Vec<usize> = dims
                .iter()
                .zip(&first)
                .map(|(size, first)| random.below(size - first + 1))
                .collect();
            let mut at = first.clone();
            // Some dimensions as a whole.
            for dim in 0..dims.len() {
                if random.below(2) == 0 {
                    (at[dim], shape[dim]) = (0, dims[dim]);
                }
            }
            let window = Window::new(&spec, &at, &shape).unwrap();
            let pack = Plan::window(&window.rows, spec.map(), (&at, &shape), Some(0));
            let unpack = Plan::window(spec.map(), &window.rows, (&at, &shape), Some(1));
            for (own, plan) in [pack, unpack].iter().enumerate() {
                let nest = loops.nest(spec.map(), (&at, &shape), own);
                assert!(
                    nest == plan.nest,
                    "{spec}, {shape:?} from {at:?}: {nest:?} is not {plan:?}"
                );
            }
        }
        assert!(kept > 1000, "{kept} layouts have loops to keep");
    }
}
