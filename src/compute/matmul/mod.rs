//! Matrix multiplication where the data lies.
//!
//! Within a tile of a TPU layout, a word of 32 bits holds the elements of 1, 2 or 4 rows that are above each other:
//! `(8,128)`, `(8,128)(2,1)` and `(8,128)(4,1)` for elements of 32, 16 and 8 bits. The dot product instructions of CPUs
//! take them in this very order, so the right operand is read from its tiles as it is.

#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod avx512;
mod choose;
mod entry;
mod few;
mod grid;
mod lanes;
mod panels;
mod portable;
mod product;
mod scratch;
mod slice;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod transpose;

#[cfg(test)]
mod tests;

use crate::element::{BF16, Element, F32, S8, S32};
use crate::movement::PackError;
use crate::typed::entry::Const;
use crate::typed::packed::or_end;
use crate::typed::types::Shape2;
use crate::typed::{Layout, Packed, PackedMut, PackedRef};
use choose::MicroKernel;

/// An element type whose products can be summed up: `bf16`, `f32` and `s8`.
#[diagnostic::on_unimplemented(
    message = "matrices of `{Self}` cannot be multiplied",
    note = "`matmul` takes two matrices of `BF16`, `F32` or `S8`"
)]
pub trait MatmulElement: Element {
    /// What the products are summed up in.
    type Sum: Element;
}

impl MatmulElement for BF16 {
    type Sum = F32;
}

impl MatmulElement for F32 {
    type Sum = F32;
}

impl MatmulElement for S8 {
    type Sum = S32;
}

/// A packed array to read: [`Packed`], or a view of one.
pub trait Operand {
    /// Its layout.
    type Layout: Layout;
    /// The array as a view.
    fn view(&self) -> PackedRef<'_, Self::Layout>;
}

/// A packed array to write: [`Packed`], or a view of one.
pub trait OperandMut: Operand {
    /// The array as a view.
    fn view_mut(&mut self) -> PackedMut<'_, Self::Layout>;
}

impl<L: Layout> Operand for Packed<L> {
    type Layout = L;
    fn view(&self) -> PackedRef<'_, L> {
        self.as_ref()
    }
}

impl<L: Layout> OperandMut for Packed<L> {
    fn view_mut(&mut self) -> PackedMut<'_, L> {
        self.as_mut()
    }
}

impl<L: Layout> Operand for PackedRef<'_, L> {
    type Layout = L;
    fn view(&self) -> PackedRef<'_, L> {
        *self
    }
}

impl<L: Layout> Operand for PackedMut<'_, L> {
    type Layout = L;
    fn view(&self) -> PackedRef<'_, L> {
        self.as_ref()
    }
}

impl<L: Layout> OperandMut for PackedMut<'_, L> {
    fn view_mut(&mut self) -> PackedMut<'_, L> {
        self.reborrow()
    }
}

/// The matrix product `a * b` as a new array; what [`matmul_into`] says holds for it too, and [`try_matmul`] returns a
/// lack of memory as an error.
///
/// ```
/// use tensor_layout::{Layout, Packed, half::bf16, matmul, tiled};
/// type A = tiled!(bf16[20,30]{1,0:T(8,128)(2,1)});
/// type B = tiled!(bf16[30,40]{1,0:T(8,128)(2,1)});
/// type C = tiled!(f32[20,40]{1,0:T(8,128)});
///
/// let a = A::pack(&[bf16::from_f32(0.5); 20 * 30]).unwrap();
/// let b = B::pack(&[bf16::from_f32(3.0); 30 * 40]).unwrap();
/// let c: Packed<C> = matmul(&a, &b);
/// assert_eq!(c.get([19, 39]), 45.0);
/// ```
pub fn matmul<A, B, C, E, const M: usize, const K: usize, const N: usize>(a: &A, b: &B) -> Packed<C>
where
    A: Operand<Layout: Layout<Shape = Shape2<M, K>, Element = E>>,
    B: Operand<Layout: Layout<Shape = Shape2<K, N>, Element = E>>,
    C: Layout<Shape = Shape2<M, N>, Element = E::Sum>,
    E: MatmulElement,
{
    or_end(try_matmul(a, b))
}

/// [`matmul`], for programs that must outlive a lack of memory, as servers must.
///
/// # Errors
/// [`PackError::OutOfMemory`], if there is no memory for the product, or for what [`try_matmul_into`] copies.
pub fn try_matmul<A, B, C, E, const M: usize, const K: usize, const N: usize>(
    a: &A,
    b: &B,
) -> Result<Packed<C>, PackError>
where
    A: Operand<Layout: Layout<Shape = Shape2<M, K>, Element = E>>,
    B: Operand<Layout: Layout<Shape = Shape2<K, N>, Element = E>>,
    C: Layout<Shape = Shape2<M, N>, Element = E::Sum>,
    E: MatmulElement,
{
    let mut c = Packed::try_fresh()?;
    try_matmul_into(a, b, &mut c)?;
    Ok(c)
}

/// Writes the matrix product `a * b` to `c`.
///
/// The inner dimensions must be equal, and `c` must have the outer ones, all as types: a wrong operand does not
/// compile. Each operand may have any layout. A row-major slice is an array without tiles, to view with
/// [`PackedRef::from_elements`] and [`PackedMut::from_elements`]. The padding of `a` and `b` is not read; that of `c` is written as `pack`
/// writes it.
///
/// ```
/// use tensor_layout::{PackedMut, PackedRef, matmul_into, tiled};
/// type RowMajor<const M: usize, const N: usize> = tiled!(f32[M,N]);
///
/// let (a, b, mut c) = ([1.0, 2.0, 3.0, 4.0], [5.0, 6.0], [0.0; 2]);
/// let a = PackedRef::<RowMajor<2, 2>>::from_elements(&a)?;
/// let b = PackedRef::<RowMajor<2, 1>>::from_elements(&b)?;
/// matmul_into(&a, &b, &mut PackedMut::<RowMajor<2, 1>>::from_elements(&mut c)?);
/// assert_eq!(c, [17.0, 39.0]);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
///
/// # Precision
/// Products of `s8` are summed up in `s32`, exactly as long as the sum fits, which it does up to `K = 131071`; beyond,
/// sums wrap. The result is the same on every CPU.
///
/// Products of `bf16` and `f32` are summed up in `f32`, in any order, with at most `K + 1` roundings on the way of each
/// product: an element of `c` is at most `(K + 1) u / (1 - (K + 1) u)` times the sum of the absolute values of its
/// products away from the exact value, where `u` is 2^-24, as long as nothing overflows. Where a CPU multiplies `bf16`
/// itself (AVX-512 BF16), numbers smaller than 2^-126 in absolute value count as zero, before and after every
/// operation: factors that small are lost, and each product may add 2^-125 to the bound. The result can differ from CPU
/// to CPU.
///
/// # Complexity
/// `M * K * N` multiplications. On x86-64 with the feature `std` they are those of AVX-512, AVX-VNNI or AVX2 if the CPU
/// has them. With the feature `parallel`, products of many rows are shared by the threads of rayon's current pool.
///
/// `a` is copied to panels, 256 KiB at a time for each thread, and so is `b` if `a` has many rows, 4 MiB at a time.
/// Otherwise `b` is read where it lies if its tiles are `(h,w)`, `(h,w)(2,1)` or `(h,w)(4,1)`, for 32, 16 and 8 bits,
/// with `w` a multiple of 32. An operand whose rows are not contiguous but in other tiles is copied whole first. With
/// the feature `std`, a thread keeps the memory of its panels for its next product.
///
/// # Panics
/// As collections do, if there is no memory for the copies: see [`try_matmul_into`].
pub fn matmul_into<A, B, C, E, const M: usize, const K: usize, const N: usize>(
    a: &A,
    b: &B,
    c: &mut C,
) where
    A: Operand<Layout: Layout<Shape = Shape2<M, K>, Element = E>>,
    B: Operand<Layout: Layout<Shape = Shape2<K, N>, Element = E>>,
    C: OperandMut<Layout: Layout<Shape = Shape2<M, N>, Element = E::Sum>>,
    E: MatmulElement,
{
    or_end(try_matmul_into(a, b, c));
}

/// [`matmul_into`], for programs that must outlive a lack of memory, as servers must.
///
/// # Errors
/// [`PackError::OutOfMemory`], if there is no memory for the copies, with the layout of the matrix that they are for.
/// What `c` then holds is unspecified.
///
/// ```
/// use tensor_layout::{Layout, Packed, tiled, try_matmul, try_matmul_into};
/// type Square = tiled!(f32[2,2]);
///
/// let a = Square::pack(&[1.0, 2.0, 3.0, 4.0])?;
/// let mut c: Packed<Square> = try_matmul(&a, &a)?;
/// assert_eq!(c.try_unpack()?, [7.0, 10.0, 15.0, 22.0]);
/// try_matmul_into(&a, &a.try_transpose::<Square>()?, &mut c)?;
/// assert_eq!(c.try_unpack()?, [5.0, 11.0, 11.0, 25.0]);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
pub fn try_matmul_into<A, B, C, E, const M: usize, const K: usize, const N: usize>(
    a: &A,
    b: &B,
    c: &mut C,
) -> Result<(), PackError>
where
    A: Operand<Layout: Layout<Shape = Shape2<M, K>, Element = E>>,
    B: Operand<Layout: Layout<Shape = Shape2<K, N>, Element = E>>,
    C: OperandMut<Layout: Layout<Shape = Shape2<M, N>, Element = E::Sum>>,
    E: MatmulElement,
{
    let (a, b, mut c) = (a.view(), b.view(), c.view_mut());
    entry::multiply(
        MicroKernel::choose(E::DTYPE),
        (Const::<A::Layout>::SPEC, a.as_bytes()),
        (Const::<B::Layout>::SPEC, b.as_bytes()),
        (Const::<C::Layout>::SPEC, c.as_bytes_mut()),
    )
}
