//! Functions of elements and of an array with fewer dimensions, such as a row that is added to all rows.

use super::array::{Array, ArrayMut, HostOf};
use super::blocks::{Blocks, Inside, LANES, Position};
use super::dims::Dims;
use super::elements::elements_mut;
use super::elementwise::{read, write};
use super::memory::filled;
use super::reduce::{goes_by_runs, position};
use super::runs::runs;
use crate::cpu::{self, Work};
use crate::movement::PackError;
use crate::typed::forward::forward;
use crate::typed::packed::{Packed, or_end};
use crate::typed::view::{PackedMut, PackedRef};
use crate::typed::{Host, Layout};
use alloc::vec::Vec;
use core::marker::PhantomData;

/// The bytes of the values for a window of blocks: half of the smallest L1 cache.
const VALUE_BYTES: usize = 8 << 10;
/// The bytes of the values for the windows of all groups: a part of the smallest L2 cache.
const ALL_VALUE_BYTES: usize = 128 << 10;

impl<L: Layout> PackedMut<'_, L> {
    /// Replaces each element by `f` of the element and of its value in `values`.
    ///
    /// `values` is a row-major array of the dimensions `dims`, which are in ascending order, and is repeated over the other
    /// dimensions, as in XLA's `broadcast` with these `dimensions`: for a matrix, `[1]` says that `values` is a row, and `[0]`
    /// that it is a column. `f` is called in any order, but not for padding. Results for types narrower than a byte keep their
    /// low bits.
    ///
    /// ```
    /// use tensor_layout::{Layout, tiled};
    /// type Acts = tiled!(f32[2,3]{1,0:T(8,128)});
    /// let mut acts = Acts::pack(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    /// acts.zip_broadcast_in_place(&[1], &[0.5, 0.25, 0.0], |x, bias| x + bias);
    /// acts.zip_broadcast_in_place(&[0], &[1.0, 10.0], |x, scale| x * scale);
    /// assert_eq!(acts.unpack(), [1.5, 2.25, 3.0, 45.0, 52.5, 60.0]);
    /// ```
    ///
    /// # Panics
    /// If a number in `dims` is not a dimension, or occurs twice, if `dims` is not in ascending order, or if `values` does not have
    /// one value for each index of these dimensions. If memory for the values of a block cannot be allocated, as collections
    /// do; see [`PackedMut::try_zip_broadcast_in_place`].
    #[track_caller]
    pub fn zip_broadcast_in_place<T: Copy>(
        &mut self,
        dims: impl Dims,
        values: &[T],
        f: impl FnMut(Host<L>, T) -> Host<L>,
    ) {
        or_end(self.try_zip_broadcast_in_place(dims, values, f));
    }

    /// [`PackedMut::zip_broadcast_in_place`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the values of a block cannot be allocated. Nothing has then been written.
    ///
    /// # Panics
    /// As for [`PackedMut::zip_broadcast_in_place`], except for a lack of memory.
    #[track_caller]
    pub fn try_zip_broadcast_in_place<T: Copy>(
        &mut self,
        dims: impl Dims,
        values: &[T],
        f: impl FnMut(Host<L>, T) -> Host<L>,
    ) -> Result<(), PackError> {
        let Some((kept, first)) = meeting(self.dims().as_ref(), dims, values) else {
            return Ok(());
        };
        if let (true, Some(elements)) =
            (const { goes_by_runs::<L>() }, elements_mut(self.reborrow()))
        {
            cpu::run(SmallBroadcast { kept, elements, values, f, layout: PhantomData::<L> });
            return Ok(());
        }
        in_place(self, kept, first, values, f)
    }
}

/// A bit for each dimension of `values`, and its first value; `None` if the array is empty.
///
/// # Panics
/// If a number in `dims` is not a dimension, or occurs twice, if `dims` is not in ascending order, or if `values` has another
/// length.
#[track_caller]
pub(super) fn meeting<V: Copy>(sizes: &[usize], dims: impl Dims, values: &[V]) -> Option<(u16, V)> {
    let (kept, count) = dims.of(sizes);
    dims.ascending();
    assert!(
        values.len() == count,
        "{} values are given, but dimensions {dims:?} have {count} indices",
        values.len()
    );
    values.first().filter(|_| !sizes.contains(&0)).map(|first| (kept, *first))
}

/// Replaces each element of an array that is not empty by `f` of the element and of its value.
pub(super) fn in_place<T: ArrayMut, V: Copy>(
    to: &mut T,
    kept: u16,
    first: V,
    values: &[V],
    mut f: impl FnMut(HostOf<T>, V) -> HostOf<T>,
) -> Result<(), PackError> {
    let map = {
        let array = to.as_array();
        &array.spec().map().with_dims(array.sizes())
    };
    let max_slots = (VALUE_BYTES / (LANES * size_of::<V>().max(1))).max(1);
    let blocks = Blocks::new(map, kept, max_slots).and_then(|blocks| match blocks {
        Some(blocks) if to.as_array().elements().is_some() => {
            let groups = if blocks.groups_alternate() { blocks.groups().count() } else { 1 };
            let each = blocks.slots.len();
            let all = groups.saturating_mul(each * LANES * size_of::<V>()) <= ALL_VALUE_BYTES;
            let met = filled([first; LANES], if all { groups * each } else { each })?;
            Ok(Some((blocks, met)))
        }
        _ => Ok(None),
    });
    let blocks = blocks.map_err(|error| error.for_layout(to.as_array().spec()))?;
    if let (Some((blocks, met)), Some(elements)) = (blocks, to.elements_mut()) {
        cpu::run(Broadcast { blocks: &blocks, elements, values, met, f });
        return Ok(());
    }
    for at in 0..map.len() {
        if let Some(index) = map.index(at) {
            let from = index.iter().enumerate().filter(|(dim, _)| kept >> dim & 1 == 1);
            let from = from.fold(0, |from, (dim, i)| from * map.bound(dim) + i);
            let x = read(&to.as_array(), at);
            write(to, at, f(x, values[from]));
        }
    }
    Ok(())
}

impl<L: Layout> PackedRef<'_, L> {
    /// A new array of `f` of each element and of its value in `values`; see [`PackedMut::zip_broadcast_in_place`].
    ///
    /// # Panics
    /// As for [`PackedMut::zip_broadcast_in_place`]; see [`PackedRef::try_zip_broadcast`].
    #[track_caller]
    pub fn zip_broadcast<T: Copy>(
        self,
        dims: impl Dims,
        values: &[T],
        f: impl FnMut(Host<L>, T) -> Host<L>,
    ) -> Packed<L> {
        or_end(self.try_zip_broadcast(dims, values, f))
    }

    /// [`PackedRef::zip_broadcast`] that returns an error if memory cannot be allocated.
    ///
    /// # Errors
    /// [`PackError::OutOfMemory`] if memory for the new array, or for the values of a block, cannot be allocated.
    ///
    /// # Panics
    /// As for [`PackedMut::try_zip_broadcast_in_place`].
    #[track_caller]
    pub fn try_zip_broadcast<T: Copy>(
        self,
        dims: impl Dims,
        values: &[T],
        f: impl FnMut(Host<L>, T) -> Host<L>,
    ) -> Result<Packed<L>, PackError> {
        let mut packed = self.try_to_packed()?;
        packed.try_zip_broadcast_in_place(dims, values, f)?;
        Ok(packed)
    }
}

impl<L: Layout> Packed<L> {
    forward! {
        #[track_caller]
        PackedMut::zip_broadcast_in_place[T: Copy](
            dims: impl Dims, values: &[T], f: impl FnMut(Host<L>, T) -> Host<L>
        );
        #[track_caller]
        PackedMut::try_zip_broadcast_in_place[T: Copy](
            dims: impl Dims, values: &[T], f: impl FnMut(Host<L>, T) -> Host<L>
        ) -> Result<(), PackError>;
        #[track_caller]
        PackedRef::zip_broadcast[T: Copy](dims: impl Dims, values: &[T], f: impl FnMut(Host<L>, T) -> Host<L>) -> Self;
        #[track_caller]
        PackedRef::try_zip_broadcast[T: Copy](
            dims: impl Dims, values: &[T], f: impl FnMut(Host<L>, T) -> Host<L>
        ) -> Result<Self, PackError>;
    }
}

/// The same for a small array with long runs, such as a tile, without the set-up that blocks need.
struct SmallBroadcast<'a, L: Layout, T, F> {
    kept: u16,
    elements: &'a mut [Host<L>],
    values: &'a [T],
    f: F,
    layout: PhantomData<L>,
}

impl<L: Layout, T: Copy, F: FnMut(Host<L>, T) -> Host<L>> Work for SmallBroadcast<'_, L, T, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { kept, elements, values, mut f, .. } = self;
        for (index, offset, len) in runs::<L>(L::DIMS) {
            let (from, step) = position::<L>(kept, &index);
            let run = elements[offset..][..len].iter_mut();
            match step {
                0 => run.for_each(|x| *x = f(*x, values[from])),
                1 => run.zip(&values[from..]).for_each(|(x, value)| *x = f(*x, *value)),
                _ => {
                    let values = values[from..].iter().step_by(step);
                    run.zip(values).for_each(|(x, value)| *x = f(*x, *value));
                }
            }
        }
    }
}

struct Broadcast<'a, H, T, F> {
    blocks: &'a Blocks,
    elements: &'a mut [H],
    /// The values; there is at least one.
    values: &'a [T],
    /// The values for the slots of a window. If several groups are kept, those of one group after the other: the groups
    /// alternate in storage, and pages that are far apart are slow to reach.
    met: Vec<[T; LANES]>,
    f: F,
}

impl<H: Copy, T: Copy, F: FnMut(H, T) -> H> Broadcast<'_, H, T, F> {
    /// The values for the lanes of a slot. Padding can have any value, because nothing is computed for it.
    #[inline(always)]
    fn values(&self, group: &Position, slot: &Position) -> [T; LANES] {
        let (lanes, first) = (&self.blocks.lanes, group.kept + slot.kept);
        let value =
            |lane: &Position| *self.values.get(first + lane.kept).unwrap_or(&self.values[0]);
        if self.blocks.uniform {
            [value(&lanes[0]); LANES]
        } else {
            crate::cpu::array(|lane: usize| value(&lanes[lane]))
        }
    }

    #[inline(always)]
    fn window(&mut self, window: &Position, values: &[[T; LANES]]) {
        let blocks = self.blocks;
        let full = blocks.is_full(window, self.elements.len(), true);
        for (slots, values) in blocks.slots.chunks(blocks.run).zip(values.chunks(blocks.run)) {
            if let (true, [slot], [values]) = (full, slots, values) {
                // A copy, which the compiler keeps in registers.
                let values = *values;
                for fold in &blocks.folds {
                    self.block(window.offset + slot.offset + fold.offset, &values);
                }
                continue;
            }
            for fold in &blocks.folds {
                for (slot, values) in slots.iter().zip(values) {
                    let offset = window.offset + slot.offset + fold.offset;
                    if full {
                        self.block(offset, values);
                        continue;
                    }
                    match blocks.inside(window, slot, fold) {
                        Inside::All => self.block(offset, values),
                        Inside::None => {}
                        Inside::Some(mask) => self.masked(offset, values, mask),
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn block(&mut self, offset: usize, values: &[T; LANES]) {
        let rest = self.elements.get_mut(offset..).unwrap_or_default();
        if let Some(block) = rest.first_chunk_mut::<LANES>() {
            // A copy, so that the compiler sees that it does not overlap with the destination.
            let values = *values;
            for (x, value) in block.iter_mut().zip(&values) {
                *x = (self.f)(*x, *value);
            }
        }
    }

    #[inline(always)]
    fn masked(&mut self, offset: usize, values: &[T; LANES], mask: [bool; LANES]) {
        for lane in (0..LANES).filter(|&lane| mask[lane]) {
            let x = &mut self.elements[offset + lane];
            *x = (self.f)(*x, values[lane]);
        }
    }
}

impl<H: Copy, T: Copy, F: FnMut(H, T) -> H> Work for Broadcast<'_, H, T, F> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let blocks = self.blocks;
        let (mut values, slots) = (core::mem::take(&mut self.met), blocks.slots.len());
        if values.len() > slots {
            for (values, group) in values.chunks_mut(slots).zip(blocks.groups()) {
                for (values, slot) in values.iter_mut().zip(&blocks.slots) {
                    *values = self.values(&group, slot);
                }
            }
            for step in blocks.steps(Position::default()) {
                for (values, window) in values.chunks(slots).zip(blocks.groups_at(step)) {
                    self.window(&window, values);
                }
            }
            return;
        }
        for group in blocks.groups() {
            for (values, slot) in values.iter_mut().zip(&blocks.slots) {
                *values = self.values(&group, slot);
            }
            for window in blocks.steps(group) {
                self.window(&window, &values);
            }
        }
    }
}
