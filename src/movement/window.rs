//! Windows: parts of an array that are packed and unpacked separately.

use super::error::PackError;
use super::execute::Planned;
use super::plan::{Loop, Nest, Plan};
use super::run_time::check_shape;
use super::transfer::{self, Values};
use layout_core::parts::{Group, IndexMap, MAX_RANK, RefinedPart, Refinement};
use layout_core::tiled::TiledSpec;

/// A window of shape `shape` that starts at index `first` of an array.
pub(super) struct Window<'a> {
    first: &'a [usize],
    shape: &'a [usize],
    elements: usize,
    /// The row-major map of the window.
    pub(super) rows: IndexMap,
}

/// Checks that a window is within the array; returns its number of elements.
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
    // At most as many as the array has, because no size is zero.
    Ok(if shape.contains(&0) { 0 } else { shape.iter().product() })
}

impl<'a> Window<'a> {
    /// Checks that the window is within the array.
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

/// The largest number of loops of a layout that are stored for its windows.
const MAX_KEPT: usize = 16;

/// The common part of the plans for all windows of one layout, or between two; planned once, and for layout types by rustc.
///
/// The dimensions are cut where the layouts cut them, wherever a window begins. The position and shape of the window determine
/// which loops are ragged, and the strides of a row-major array that contains only the window. In `f32[1000,256]{1,0:T(8,128)}` the
/// loops of every window are `d0 floordiv 8`, `d0 mod 8`, `d1 floordiv 128` and `d1 mod 128`; in the row-major array of a window of
/// shape `[16,100]` their strides are 800, 100, 128 and 1.
#[derive(Clone, Copy)]
pub(crate) struct WindowLoops {
    /// For one layout, the source is the whole array in row-major order.
    loops: [Loop; MAX_KEPT],
    len: usize,
    /// As in [`Nest`].
    periods: [usize; MAX_RANK],
    /// The div of the outermost loop of each dimension.
    last_div: [usize; MAX_RANK],
}

impl WindowLoops {
    /// The loops of a layout; `None` if dimensions are combined or walked, if there are too many loops, or if the array is
    /// empty.
    pub(crate) const fn of(spec: &TiledSpec) -> Option<Self> {
        if spec.elements() == 0 {
            return None;
        }
        Self::of_maps([&transfer::row_major(spec), spec.map()])
    }

    /// The loops between two layouts of the same shape; `None` as for [`WindowLoops::of`].
    pub(crate) const fn between(source: &TiledSpec, destination: &TiledSpec) -> Option<Self> {
        if source.elements() == 0 {
            return None;
        }
        Self::of_maps([source.map(), destination.map()])
    }

    const fn of_maps(maps: [&IndexMap; 2]) -> Option<Self> {
        let (mut loops, mut len) = ([Loop::UNIT; MAX_KEPT], 0);
        let (mut periods, mut last_div) = ([0; MAX_RANK], [1; MAX_RANK]);
        let mut dim = 0;
        while dim < maps[0].rank() {
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
                let RefinedPart { div, size, strides: [source, destination] } = refinement.part(i);
                loops[len] = Loop { dims: 1 << dim, div, size, source, destination, ..Loop::UNIT };
                len += 1;
                i += 1;
            }
            dim += 1;
        }
        Some(Self { loops, len, periods, last_div })
    }

    /// The nest for a window. If `own` is 0 or 1, the source or the destination contains only the window. `map` is the index
    /// map of the layout, or of either layout. The result is the nest that [`Plan::window`] finds.
    fn nest(
        &self,
        map: &IndexMap,
        (first, shape): (&[usize], &[usize]),
        own: Option<usize>,
    ) -> Nest {
        let mut nest = Nest::of_window(map, first, shape);
        // The elements of the window from one index to the next.
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
                let alone = each.div * strides[dim];
                match own {
                    None => {}
                    Some(0) => each.source = alone,
                    Some(_) => (each.source, each.destination) = (each.destination, alone),
                }
                nest.insert(each);
            }
            nest.arrange();
        }
        if let Some(own) = own {
            for (first, stride) in first.iter().zip(strides) {
                nest.base[0][own] += first * stride;
            }
        }
        nest
    }
}

/// The plan for a window whose loops are known. No dimension is walked, so the maps are not used.
fn planned<'a>(spec: &'a TiledSpec, nest: &'a Nest) -> Planned<'a> {
    Planned { nest, source: Some(spec.map()), destination: spec.map(), program: None }
}

/// [`pack`] with known loops.
pub(crate) fn pack_by(
    loops: Option<&WindowLoops>,
    spec: &TiledSpec,
    (first, shape): (&[usize], &[usize]),
    row_major: &[u8],
    packed: &mut [u8],
) -> Result<(), PackError> {
    let Some(loops) = loops else { return pack(spec, (first, shape), row_major, packed) };
    let elements = check(spec, first, shape)?;
    let nest = loops.nest(spec.map(), (first, shape), Some(0));
    let values = Values::Bytes(row_major);
    transfer::pack_window(spec, planned(spec, &nest), elements, values, packed)
}

/// [`unpack`] with known loops.
pub(crate) fn unpack_by(
    loops: Option<&WindowLoops>,
    spec: &TiledSpec,
    (first, shape): (&[usize], &[usize]),
    packed: &[u8],
    row_major: &mut [u8],
) -> Result<(), PackError> {
    let Some(loops) = loops else { return unpack(spec, (first, shape), packed, row_major) };
    let elements = check(spec, first, shape)?;
    let nest = loops.nest(spec.map(), (first, shape), Some(1));
    transfer::unpack_window(spec, planned(spec, &nest), elements, packed, row_major)
}

/// [`relayout`] with known loops between the two layouts.
pub(crate) fn relayout_by(
    loops: Option<&WindowLoops>,
    spec: &TiledSpec,
    (first, shape): (&[usize], &[usize]),
    from: &[u8],
    destination: &TiledSpec,
    to: &mut [u8],
) -> Result<(), PackError> {
    let Some(loops) = loops else {
        return relayout(spec, (first, shape), from, destination, to);
    };
    check(spec, first, shape)?;
    let nest = loops.nest(spec.map(), (first, shape), None);
    transfer::relayout_window(planned(spec, &nest), (spec, from), (destination, to))
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
        let (random, mut kept) = (&mut Random(23), [0; 2]);
        for _ in 0..2000 {
            let dims = random.dims();
            let [spec, other] = [(); 2].map(|()| random.layout(DType::BF16, &dims));
            let Some(loops) = WindowLoops::of(&spec) else { continue };
            kept[0] += 1;
            let first: Vec<usize> = dims.iter().map(|size| random.below(size + 1)).collect();
            let mut shape: Vec<usize> = dims
                .iter()
                .zip(&first)
                .map(|(size, first)| random.below(size - first + 1))
                .collect();
            let mut at = first.clone();
            // Some dimensions are moved completely.
            for dim in 0..dims.len() {
                if random.below(2) == 0 {
                    (at[dim], shape[dim]) = (0, dims[dim]);
                }
            }
            let window = Window::new(&spec, &at, &shape).unwrap();
            let pack = Plan::window(&window.rows, spec.map(), (&at, &shape), Some(0));
            let unpack = Plan::window(spec.map(), &window.rows, (&at, &shape), Some(1));
            for (own, plan) in [pack, unpack].iter().enumerate() {
                let nest = loops.nest(spec.map(), (&at, &shape), Some(own));
                assert!(
                    nest == plan.nest,
                    "{spec}, {shape:?} from {at:?}: {nest:?} is not {plan:?}"
                );
            }
            let Some(loops) = WindowLoops::between(&spec, &other) else { continue };
            kept[1] += 1;
            let nest = loops.nest(spec.map(), (&at, &shape), None);
            let plan = Plan::window(spec.map(), other.map(), (&at, &shape), None);
            assert!(
                nest == plan.nest,
                "{spec} to {other}, {shape:?} from {at:?}: {nest:?} is not {plan:?}"
            );
        }
        assert!(kept[0] > 1000 && kept[1] > 500, "{kept:?} layouts and pairs have loops to keep");
    }
}
