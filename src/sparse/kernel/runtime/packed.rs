//! Packed arrays while the loops of a kernel run.

use super::filled;
use crate::compute::elements::{direct, elements};
use crate::require::fail;
use crate::sparse::kernel::{DenseRef, KernelError, PackedOperand};
use crate::typed::{Host, Layout, Packed, PackedMut, PackedRef, unrolled};
use alloc::vec::Vec;
use core::marker::PhantomData;
use layout_core::sparse_kernel::is_read_in_place;
use layout_core::text::Text;

/// How a packed operand is read.
struct Reading<L>(PhantomData<L>);

impl<L: Layout> Reading<L> {
    /// Whether the loops read the array in place, so that it must contain host values.
    const IN_PLACE: bool = direct::<L>() && is_read_in_place(&L::SPEC);
}

/// Checks that a packed operand has the number of dimensions in the signature.
#[track_caller]
pub const fn same_rank<L: Layout>(operand: &str, rank: usize) {
    if rank != L::RANK {
        let text = Text::new().str("`").str(operand).str("` is given ").num(rank);
        let text = text.str(" dimensions, but its layout has ").num(L::RANK);
        let help = "; name each dimension of the layout: `x: Packed<tpu!(f32[64,128])>[j, k]`";
        fail(text.str(help).as_str())
    }
}

/// The sizes of an array.
fn shape<L: Layout, const RANK: usize>(packed: PackedRef<'_, L>) -> [usize; RANK] {
    let dims = packed.dims();
    core::array::from_fn(|dim| dims.as_ref().get(dim).copied().unwrap_or(0))
}

/// A packed operand, with its elements in row-major order if the loops cannot read it in place.
pub struct Stored<'a, L: Layout> {
    packed: PackedRef<'a, L>,
    unpacked: Option<Vec<Host<L>>>,
}

/// Prepares a packed operand.
///
/// # Errors
/// If it is unpacked and memory cannot be allocated.
pub fn stored<'a, L: Layout>(
    operand: &'a (impl PackedOperand<L> + ?Sized),
) -> Result<Stored<'a, L>, KernelError> {
    let packed = operand.packed();
    let unpacked = if const { Reading::<L>::IN_PLACE } { None } else { Some(packed.try_unpack()?) };
    Ok(Stored { packed, unpacked })
}

impl<L: Layout> Stored<'_, L> {
    fn values(&self) -> &[Host<L>] {
        match &self.unpacked {
            Some(values) => values,
            None => elements(self.packed).unwrap_or_default(),
        }
    }

    /// The operand as a vector.
    ///
    /// # Errors
    /// Never, because the length has been checked.
    pub fn vector<const RANK: usize>(&self) -> Result<DenseRef<'_, Host<L>, RANK>, KernelError> {
        let shape = shape(self.packed);
        // The stored values can have padding at the end.
        let values = self.values();
        let len = shape.iter().product::<usize>().min(values.len());
        DenseRef::new(shape, &values[..len])
    }

    /// The operand as an array of several dimensions.
    pub fn array<const RANK: usize>(&self) -> PackedValues<'_, L, RANK> {
        PackedValues { shape: shape(self.packed), values: self.values() }
    }
}

/// The values of a packed operand in the form in which the loops read them.
pub struct PackedValues<'a, L: Layout, const RANK: usize> {
    shape: [usize; RANK],
    values: &'a [Host<L>],
}

impl<L: Layout, const RANK: usize> Clone for PackedValues<'_, L, RANK> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Layout, const RANK: usize> Copy for PackedValues<'_, L, RANK> {}

impl<'a, L: Layout, const RANK: usize> PackedValues<'a, L, RANK> {
    /// The sizes of the dimensions.
    #[inline(always)]
    pub fn shape(&self) -> [usize; RANK] {
        self.shape
    }

    /// The values, at offsets that are sums of [`PackedValues::offset`].
    #[inline(always)]
    pub fn values(&self) -> &'a [Host<L>] {
        self.values
    }

    /// The part of the offset that a coordinate of dimension `DIM` adds.
    #[inline(always)]
    pub fn offset<const DIM: usize>(&self, coordinate: usize) -> usize {
        if const { Reading::<L>::IN_PLACE } {
            let mut index = L::Index::default();
            index.as_mut()[DIM] = coordinate;
            return unrolled::offset::<L>(&index);
        }
        let stride: usize = self.shape[DIM + 1..].iter().product();
        coordinate * stride
    }
}

/// An array for an output of a shape.
///
/// # Errors
/// If the layout has another shape, or if memory cannot be allocated.
pub fn packed_output<L: Layout, const RANK: usize>(
    operand: &'static str,
    expected: [usize; RANK],
) -> Result<Packed<L>, KernelError> {
    let mut packed = Packed::<L>::zeroed()?;
    for (dim, &expected) in expected.iter().enumerate() {
        let size = packed.dims().as_ref().get(dim).copied().unwrap_or(0);
        if size != expected && packed.set_len(dim, expected).is_err() {
            return Err(KernelError::Output { operand, dim, size, expected });
        }
    }
    Ok(packed)
}

/// Checks that the given output has the shape that the kernel writes.
///
/// # Errors
/// If not.
pub fn same_packed_shape<L: Layout, const RANK: usize>(
    operand: &'static str,
    packed: PackedRef<'_, L>,
    expected: [usize; RANK],
) -> Result<(), KernelError> {
    super::same_shape(operand, shape(packed), expected)
}

/// The elements of an output to which the kernel adds.
///
/// # Errors
/// If memory cannot be allocated.
pub fn unpacked<L: Layout>(packed: PackedRef<'_, L>) -> Result<Vec<Host<L>>, KernelError> {
    Ok(packed.try_unpack()?)
}

/// Elements for an output of a shape, each the identity of the reduction.
///
/// # Errors
/// If memory cannot be allocated.
pub fn row_major<T: Clone, const RANK: usize>(
    shape: [usize; RANK],
    identity: T,
) -> Result<Vec<T>, KernelError> {
    filled(shape.iter().product(), identity)
}

/// Packs the elements of an output.
///
/// # Errors
/// If a value does not fit an element type of fewer bits.
pub fn pack<L: Layout>(
    mut packed: PackedMut<'_, L>,
    values: &[Host<L>],
) -> Result<(), KernelError> {
    let shape = packed.dims();
    if shape.as_ref() == L::DIMS.as_ref() {
        return Ok(L::pack_into(values, packed.as_bytes_mut())?);
    }
    Ok(packed.pack_window(L::Index::default(), shape, values)?)
}
