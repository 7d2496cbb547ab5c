//! Rows by their numbers: the look-up of an embedding, and the update of a key-value cache. Both can be split along the rows;
//! each device then has the rows of its own range.

use super::ElementOf;
use super::checked::{Both, call, check};
use super::deferred::{Call, Compute, Deferred, HostOf, Local, sealed};
use crate::movement::{PackError, WindowMover};
use crate::sharding::run::collective::region;
use crate::sharding::run::{RunError, Sharded, Transport};
use crate::sharding::typed::{OnMesh, ShardedLayout};
use crate::typed::entry::Const;
use crate::typed::{Layout, Packed};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use layout_core::sharding::shaped::{ShapedCall, ShapedOp};
use layout_core::tiled::TiledSpec;

/// A look-up of rows of a table that is split, in a [`Deferred`]; see [`Sharded::gather_rows`].
pub struct Rows<'a, L: ShardedLayout, I> {
    table: &'a Packed<L::Local>,
    /// The range of rows of the table on this device.
    own: Range<usize>,
    /// The rows of the result.
    rows: Vec<usize>,
    indices: core::marker::PhantomData<fn() -> I>,
}

impl<L: ShardedLayout, I> sealed::Sealed for Rows<'_, L, I> {}

impl<L, I> Call for Rows<'_, L, I>
where
    L: ShardedLayout,
    I: ShardedLayout,
{
    type Mesh = L::Mesh;
    type Made = super::Unknown;
    const CALL: ShapedCall<'static> = call::<L>("gather", ShapedOp::Rows, Both::<L, I>::TENSORS);
}

#[diagnostic::do_not_recommend]
impl<L, I> Compute<ElementOf<L>> for Rows<'_, L, I>
where
    L: ShardedLayout,
    I: ShardedLayout,
{
    fn write(&self, spec: &TiledSpec, bytes: &mut [u8]) -> Result<(), RunError> {
        let here = self.rows.iter().enumerate().filter(|(_, row)| self.own.contains(row));
        let rows = here.map(|(to, row)| (row - self.own.start, to..to + 1));
        copy_rows((Const::<L::Local>::SPEC, self.table.as_bytes()), (spec, bytes), rows)
    }
}

/// Copies rows between packed arrays: those of each range of numbers in `to`, from the number in `from` on.
fn copy_rows(
    (from_spec, from): (&TiledSpec, &[u8]),
    (to_spec, to): (&TiledSpec, &mut [u8]),
    rows: impl Iterator<Item = (usize, Range<usize>)>,
) -> Result<(), RunError> {
    let (reader, writer) = (WindowMover::new(from_spec)?, WindowMover::new(to_spec)?);
    let mut shape = from_spec.dims().to_vec();
    let (mut first, mut buffer) = (vec![0; shape.len()], Vec::new());
    let row: usize = shape[1..].iter().product::<usize>() * from_spec.dtype().byte_width();
    for (at, numbers) in rows {
        shape[0] = numbers.len();
        buffer.resize(numbers.len() * row, 0);
        first[0] = at;
        reader.unpack_bytes(&first, &shape, from, &mut buffer)?;
        first[0] = numbers.start;
        writer.pack_bytes(&first, &shape, &buffer, to)?;
    }
    Ok(())
}

/// The rows of an array that the device of a transport has.
fn own_rows<L: ShardedLayout>(device: usize) -> Range<usize> {
    region(&L::shards(), device).first().cloned().unwrap_or_default()
}

impl<L: ShardedLayout> Sharded<L> {
    /// The rows with the numbers `rows`, in that order, as in the look-up of an embedding. If the table is split along its rows,
    /// each device has the rows of its own range, and zeros for others: parts of a sum. The numbers can also be split.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use tensor_layout::sharding::run::{RunError, Sharded, threads};
    /// use tensor_layout::{mesh, sharded};
    ///
    /// mesh! { Pod = ["data" = 2, "model" = 2] }
    /// type Table = sharded!(f32[5,2] @ Pod [{"model"}, {}], padded);
    /// type Tokens = sharded!(s32[4] @ Pod [{"data"}]);
    /// type X = sharded!(f32[4,2] @ Pod [{"data"}, {}]);
    ///
    /// let found = threads::run(4, |transport| -> Result<_, RunError> {
    ///     let table = Sharded::<Table>::scatter(transport, 0, Some(&(0..10).map(|n| n as f32).collect()))?;
    ///     let tokens = Sharded::<Tokens>::scatter(transport, 0, Some(&vec![4, 0, 2, 4]))?;
    ///     let x: Sharded<X> = table.gather_rows(transport, &tokens)?.on(transport)?;     // an all-reduce
    ///     x.gather(transport, 0)
    /// });
    /// assert_eq!(found[0], Ok(Some(vec![8.0, 9.0, 0.0, 1.0, 4.0, 5.0, 8.0, 9.0])));
    /// # }
    /// ```
    ///
    /// # Errors
    /// If there is no row with one of these numbers, or if the transport does not connect the devices of the mesh.
    pub fn gather_rows<I, T: Transport>(
        &self,
        transport: &T,
        rows: &Sharded<I>,
    ) -> Result<Deferred<Rows<'_, L, I>>, RunError>
    where
        I: OnMesh<L::Mesh>,
        HostOf<I>: Copy,
        usize: TryFrom<HostOf<I>>,
    {
        let device = connected::<L, T>(transport)?;
        // A shorter part has no rows past its end.
        let count = own_rows::<I>(device).len();
        let size = Const::<L::Global>::SPEC.dims().first().copied().unwrap_or(0);
        let mut numbers = rows.local().unpack();
        numbers.truncate(count);
        let row = |(at, number): (usize, HostOf<I>)| match usize::try_from(number) {
            Ok(row) if row < size => Ok(row),
            _ => Err(RunError::Row { at, size }),
        };
        let rows = numbers.into_iter().enumerate().map(row).collect::<Result<_, _>>()?;
        let own = own_rows::<L>(device);
        Ok(Deferred(Rows { table: self.local(), own, rows, indices: core::marker::PhantomData }))
    }

    /// Writes the rows of `update` over the rows of this array that start at number `first`, as a step of decoding does with a
    /// key-value cache. If the array is split along its rows, each device writes those of its range.
    ///
    /// ```
    /// # #[cfg(feature = "std")] {
    /// use tensor_layout::sharding::run::{RunError, Sharded, threads};
    /// use tensor_layout::{mesh, sharded};
    ///
    /// mesh! { Pod = ["data" = 2, "model" = 2] }
    /// type Cache = sharded!(f32[6,4] @ Pod [{"data"}, {"model"}]);
    /// type Keys = sharded!(f32[2,4] @ Pod [{}, {"model"}]);
    ///
    /// let cache = threads::run(4, |transport| -> Result<_, RunError> {
    ///     let mut cache = Sharded::<Cache>::filled(0.0)?;
    ///     cache.update_rows(transport, 2, &Sharded::<Keys>::filled(1.0)?)?;
    ///     cache.gather(transport, 0)
    /// });
    /// assert_eq!(cache[0].as_ref().unwrap().as_ref().unwrap()[4..20], [[0.0; 4], [1.0; 4], [1.0; 4], [0.0; 4]].concat());
    /// # }
    /// ```
    ///
    /// Does not compile if `update` is split along its rows, or if the arrays are split differently along other dimensions.
    ///
    /// # Errors
    /// If the array does not have that many rows, if the transport does not connect the devices of the mesh, or if memory
    /// cannot be allocated. Nothing has then been written.
    pub fn update_rows<M, T: Transport>(
        &mut self,
        transport: &T,
        first: usize,
        update: &Sharded<M>,
    ) -> Result<(), RunError>
    where
        M: OnMesh<L::Mesh>,
        M::Local: Layout<Element = <Local<L> as Layout>::Element>,
    {
        const {
            check::<L>(call::<L>("dynamic_update_slice", ShapedOp::Update, Both::<L, M>::TENSORS));
            require_whole_rows(Const::<L::Global>::SPEC.dims(), Const::<M::Global>::SPEC.dims());
        }
        let device = connected::<L, T>(transport)?;
        let (spec, count) = (Const::<L::Local>::SPEC, Const::<M::Global>::SPEC.dims()[0]);
        let rows = Const::<L::Global>::SPEC.dims()[0];
        if first > rows || count > rows - first {
            return Err(PackError::Window { dim: 0, layout: (*spec).into() }.into());
        }
        let own = own_rows::<L>(device);
        let (start, end) = (first.max(own.start), (first + count).min(own.end));
        let from = (Const::<M::Local>::SPEC, update.local().as_bytes());
        let here = (start < end).then(|| (start - first, start - own.start..end - own.start));
        copy_rows(from, (spec, self.local_mut().as_bytes_mut()), here.into_iter())
    }
}

/// The number of the device.
fn connected<L: ShardedLayout, T: Transport>(transport: &T) -> Result<usize, RunError> {
    match transport.devices() {
        connected if connected == L::DEVICES => Ok(transport.device()),
        connected => Err(RunError::Devices { mesh: L::DEVICES, transport: connected }),
    }
}

/// Fails const evaluation unless rows have the same size.
#[track_caller]
const fn require_whole_rows(dims: &[usize], update: &[usize]) {
    let mut dim = 1;
    if dims.is_empty() {
        panic!("an array without dimensions has no rows");
    }
    while dim < dims.len() {
        if dims[dim] != update[dim] {
            panic!("the rows of the two arrays differ in size");
        }
        dim += 1;
    }
}
