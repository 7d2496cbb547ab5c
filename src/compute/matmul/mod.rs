//! Matrix multiplication in place, in the layouts of the operands.
//!
//! Within a tile of a TPU layout, a word of 32 bits contains the elements of 1, 2 or 4 rows that are one above the other:
//! `(8,128)`, `(8,128)(2,1)` and `(8,128)(4,1)` for elements of 32, 16 and 8 bits. The dot product instructions of CPUs read
//! elements in this very order, so the right operand is read from its tiles without copying it.

#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod amx;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod avx512;
mod builder;
mod choose;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod compiled;
mod contraction;
mod decode;
mod dot_general;
pub mod einsum;
mod entry;
mod epilogue;
mod grid;
mod in_place;
mod labels;
mod lanes;
mod lines;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod lookup;
mod matrices;
mod micro_kernel;
mod multiplication;
mod no_such_method;
mod output;
mod panels;
mod portable;
mod row_major;
mod row_notes;
mod row_run;
mod scratch;
mod shallow_tiles;
mod skinny;
mod slice;
mod small;
mod stacked;
mod tile_kernels;
mod tiled_slice;
mod tiles;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod transpose;
mod transposed;
mod types;
mod vector_kernels;
#[cfg(all(target_arch = "x86_64", feature = "std"))]
mod widened;
mod widening;
mod zipped_run;

#[cfg(test)]
mod tests;

use crate::element::Element;
use crate::movement::PackError;
use crate::typed::entry::Const;
use crate::typed::packed::or_end;
use crate::typed::sizes::{assert_same_sizes, is_bounded, is_bounded_in};
use crate::typed::{Layout, Packed, PackedMut, PackedRef};
pub use builder::Product;
use contraction::{Array, Contraction};
use core::marker::PhantomData;
#[cfg(all(feature = "sharding", feature = "std"))]
pub(crate) use dot_general::dot_general_bytes;
#[cfg(feature = "sharding")]
pub(crate) use dot_general::dot_general_into;
pub use dot_general::{DotDimensionNumbers, dot_general, try_dot_general};
#[cfg(feature = "sharding")]
pub(crate) use einsum::permute_into;
use labels::Labels;
use layout_core::parts::MAX_RANK;
use layout_core::tiled::TiledSpec;
use micro_kernel::MicroKernel;
pub(crate) use row_major::multiply_rows;
pub use row_notes::RowReduction;
#[cfg(all(
    feature = "sparse",
    feature = "std",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
pub(crate) use scratch::Scratch;
use small::Small;
pub use transposed::TransposedLayout;
pub use types::{
    Broadcast, Factor, MatmulElement, MatrixShape, ProductOf, RoundedFrom, ShapeOfProduct, Sum,
};

/// The element type of the array `A`.
pub type ElementOf<A> = <<A as Operand>::Layout as Layout>::Element;
/// The shape of an operand.
type ShapeOf<A> = <<A as Operand>::Layout as Layout>::Shape;
/// The shape of a product.
type ProductShape<A, B> = <ShapeOf<A> as MatrixShape<ShapeOf<B>>>::Product;
/// The type in which the products of the elements of two arrays are summed up: [`MatmulElement::Sum`].
pub type SumOf<A, B> = <ElementOf<A> as MatmulElement<ElementOf<B>>>::Sum;

/// An array that a product reads: [`Packed`], a view of one, or a [`Window`](crate::compute::Window).
///
/// ```
/// use tensor_layout::{Layout, Operand, PackedRef, tiled};
///
/// /// The first element of an array or of a view of one.
/// fn first<A: Operand<Layout = tiled!(f32[3])>>(a: &A) -> f32 {
///     a.view().get([0])
/// }
///
/// let array = <tiled!(f32[3])>::pack(&[5.0, 6.0, 7.0])?;
/// assert_eq!((first(&array), first(&array.as_ref())), (5.0, 5.0));
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operand of a product",
    label = "not an array of a layout",
    note = "`?` or `.unwrap()` takes the array out of the `Result` of a call; `L::pack(&values)?` copies a row-major slice to an array of the layout `L`, and `PackedRef::<L>::from_elements(&values)?` reads one that is in the order of `L`; block-scaled weights have a method of their own, `w.matmul(&x)?`"
)]
pub trait Operand {
    /// Its layout.
    type Layout: Layout;
    /// The array as a view.
    fn view(&self) -> PackedRef<'_, Self::Layout>;
}

/// An array that a product writes: [`Packed`], a [`PackedMut`], or a [`WindowMut`](crate::compute::WindowMut).
///
/// ```
/// use tensor_layout::{Layout, OperandMut, Packed, matmul_into, tiled};
/// type Square = tiled!(f32[2,2]);
///
/// /// Writes the square of a matrix to `to`.
/// fn square(a: &Packed<Square>, to: &mut impl OperandMut<Layout = Square>) {
///     matmul_into(a, a, to);
/// }
///
/// let (a, mut c) = (Square::pack(&[1.0, 2.0, 3.0, 4.0])?, Packed::<Square>::zeroed()?);
/// square(&a, &mut c);
/// square(&a, &mut c.as_mut());
/// assert_eq!(c.unpack(), [7.0, 10.0, 15.0, 22.0]);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
pub trait OperandMut: Operand {
    /// The array as a view.
    fn view_mut(&mut self) -> PackedMut<'_, Self::Layout>;
}

#[diagnostic::do_not_recommend]
impl<L: Layout> Operand for Packed<L> {
    type Layout = L;
    fn view(&self) -> PackedRef<'_, L> {
        self.as_ref()
    }
}

#[diagnostic::do_not_recommend]
impl<A: Operand> Operand for &A {
    type Layout = A::Layout;
    fn view(&self) -> PackedRef<'_, A::Layout> {
        (**self).view()
    }
}

impl<L: Layout> OperandMut for Packed<L> {
    fn view_mut(&mut self) -> PackedMut<'_, L> {
        self.as_mut()
    }
}

#[diagnostic::do_not_recommend]
impl<L: Layout> Operand for PackedRef<'_, L> {
    type Layout = L;
    fn view(&self) -> PackedRef<'_, L> {
        *self
    }
}

#[diagnostic::do_not_recommend]
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

/// The matrix product `a * b` as a new array. Everything that [`matmul_into`] says applies to it too, and [`try_matmul`]
/// returns an error if memory cannot be allocated.
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
///
/// The operands and the product can have different layouts. In this picture, `a` and the product are in tiles of 2 by 2, and the
/// columns of `b` are contiguous:
///
#[cfg_attr(doc, doc = layout_macros::__pictures!(
    "f32[4,6]{1,0:T(2,2)}" * "f32[6,4]{0,1}" = "f32[4,4]{1,0:T(2,2)}"
))]
///
/// The elements can be of two types, and those of the product of a third:
/// ```
/// use tensor_layout::{Layout, half::bf16, matmul, tiled, tpu};
/// let activations = <tpu!(bf16[20,30])>::pack(&[bf16::from_f32(0.5); 20 * 30])?;
/// let weights = <tiled!(s8[30,40]{1,0:T(8,128)(4,1)})>::pack(&[3; 30 * 40])?;
/// let c = matmul::<_, _, tpu!(bf16[20,40])>(&activations, &weights);
/// assert_eq!(c.get([19, 39]).to_f32(), 45.0);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
#[allow(clippy::multiple_bound_locations, reason = "an error quotes the line of its bound alone")]
pub fn matmul<A: Operand, B: Operand, ResultLayout: ProductOf<A::Layout, B::Layout>>(
    a: &A,
    b: &B,
) -> Packed<ResultLayout>
where
    ResultLayout: Layout<Shape: ShapeOfProduct<ShapeOf<A>, ShapeOf<B>>>,
{
    let () = Planned::<A::Layout, B::Layout, ResultLayout>::CHECKED;
    or_end(product(a, b))
}

/// [`matmul`] that returns an error if memory cannot be allocated.
///
/// ```
/// use tensor_layout::{Layout, Packed, tiled, try_matmul};
/// let a = <tiled!(f32[2,2])>::pack(&[1.0, 2.0, 3.0, 4.0])?;
/// let square: Packed<tiled!(f32[2,2])> = try_matmul(&a, &a)?;
/// assert_eq!(square.unpack(), [7.0, 10.0, 15.0, 22.0]);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
///
/// # Errors
/// [`PackError::OutOfMemory`] if memory for the product, or for the copies of [`try_matmul_into`], cannot be allocated.
///
/// # Panics
/// If bounded dimensions differ, as for [`matmul_into`].
#[allow(clippy::multiple_bound_locations, reason = "an error quotes the line of its bound alone")]
pub fn try_matmul<A: Operand, B: Operand, ResultLayout: ProductOf<A::Layout, B::Layout>>(
    a: &A,
    b: &B,
) -> Result<Packed<ResultLayout>, PackError>
where
    ResultLayout: Layout<Shape: ShapeOfProduct<ShapeOf<A>, ShapeOf<B>>>,
{
    let () = Planned::<A::Layout, B::Layout, ResultLayout>::CHECKED;
    product(a, b)
}

/// Writes the matrix product `a * b` to `c`.
///
/// The inner dimensions must be equal, and `c` must have the outer ones. The types say so: wrong operands do not compile. Each
/// operand can have any layout. A row-major slice is an array in a layout such as `tiled!(f32[M,N])`: view it with
/// [`PackedRef::from_elements`] or [`PackedMut::from_elements`]. The padding of `a` and `b` is not read; that of `c` is written
/// as `pack` writes it.
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
/// # Batches
/// Arrays of three to eight dimensions are batches of matrices, which are the last two dimensions. The operands have the same
/// batch dimensions, but one of size 1 is repeated for each index of that of the other operand, and a single matrix is repeated
/// for the whole batch:
/// ```
/// use tensor_layout::{Layout, half::bf16, matmul, tpu};
/// let queries = <tpu!(bf16[4,8,20,64])>::pack(&[bf16::ONE; 4 * 8 * 20 * 64])?;
/// let keys = <tpu!(bf16[4,1,64,30])>::pack(&[bf16::ONE; 4 * 64 * 30])?;
/// let scores = matmul::<_, _, tpu!(bf16[4,8,20,30])>(&queries, &keys);
/// assert_eq!(scores.get([3, 7, 19, 29]).to_f32(), 64.0);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
/// If the last two dimensions are the most minor ones and no tile reaches past them, as in the layouts that `tpu!` chooses,
/// each matrix is read and written in place. Other arrays are first copied to such an order.
///
/// # Types
/// The element types are `f64` by `f64`, or any two of `f32`, `bf16`, `f16`, the `f8` types except `f8e8m0fnu`, `s8`, `u8`, `s4`
/// and `u4`. The product can have any of these types, or `s32`. Its elements are rounded once, to nearest with ties to even;
/// integers saturate, and a NaN becomes zero.
///
/// # Sizes
/// The size of a bounded dimension, `<=n`, is its current length. If one of the inner dimensions is bounded and the other is
/// not, everything that the shorter one lacks counts as zero; so do rows and columns that the result has and the product does
/// not.
///
/// # Precision
/// Products of integers are summed up in `s32`, exactly if the sum fits, which it does up to `K = 131071` for `s8` and
/// up to `K = 33025` for `u8`; larger sums wrap. The result is the same on every CPU.
///
/// Products of `f64` are summed up in `f64`, and others in `f32`, in any order, with at most `K + 1` roundings of each product:
/// the difference between a sum and the exact value is at most `(K + 1) u / (1 - (K + 1) u)` times the sum of the absolute
/// values of its products, where `u` is 2^-24, or 2^-53 for `f64`, unless something overflows. If both types are other than
/// `f32` and `f16`, some CPUs multiply `bf16` directly: AMD's with AVX-512 BF16, and those with AMX, from as many rows of `a` on
/// as [below](#complexity).
/// Numbers smaller than 2^-126 in absolute value then count as zero, before and after every operation: factors that small are
/// lost, their product with an infinity is NaN, and each product can add 2^-125 to the bound. `TENSOR_LAYOUT_CPU=avx2` in the
/// environment preserves them; so does `avx512` on Intel's CPUs. The result can differ between CPUs.
///
/// # Complexity
/// `M * K * N` multiplications. On x86-64 with the feature `std`, they use AVX-512, AVX-VNNI or AVX2 if the CPU has them, and
/// AMX on Linux: for `bf16` from 16 rows of `a` on, or from 9 if the elements of `b` have 8 bits, for bytes from 8 rows on,
/// and for `bf16` by `bf16` and bytes by bytes from 5 rows on if a tile of `b` has 2, 4, 8 or 16 rows of words, as
/// `(8,128)(2,1)` of `bf16` has 4. With the feature `parallel`, the threads of rayon's current pool share products of many
/// rows.
///
/// Products of `f32` and of `f64` whose sizes are at most 128, with each row in one tile, are computed in place. Those of `f32`,
/// `bf16`, `f16`, `s8` and `u8` with sizes up to 64 use only the stack: elements become `f32` there, unless the CPU multiplies
/// pairs of `bf16` or, with AVX-512, fours of `s8` faster. Otherwise `a` is copied to panels, half of the L2 cache at a time for
/// each thread. If `a` has more than about 64 rows, `b` is also copied to
/// panels, 4 MiB at a time; with AVX-512, one thread then reads an `a` of `f32` or `f64` in place.
///
/// With fewer rows, `b` is read once, in place and in the order of its bytes, if its tiles are `(h,w)`, `(h,w)(2,1)` or
/// `(h,w)(4,1)`, for 32, 16 and 8 bits, or `(h,w)(8,1)` for 4 bits, with `w` a multiple of 32. If not, parts of it are brought
/// into that order: 16 KiB at a time in the L1 cache, 64 KiB in the L2 cache with AMX or, for one row of `a` and a `b` of 4, 8 or
/// 16 bits without tiles, words in registers. On x86-64, elements of `b` that need a conversion are then converted in
/// registers, floats of 8 bits with AVX2 only for up to 6 rows, or 24 of `f8e5m2`. Otherwise they are converted 16 KiB at a time.
///
/// An operand in other tiles, or whose columns are contiguous, is first copied as a whole. If a product does not have the type of
/// the sums, or has other tiles than `(h,w)`, its sums are first written to a separate array. With the feature `std`, a thread
/// keeps the memory of its panels for its next product.
///
/// # Panics
/// If memory for the copies cannot be allocated, as collections do; see [`try_matmul_into`]. If both inner dimensions are
/// bounded and differ in size, or if a bounded dimension of `c` differs from that of the product.
pub fn matmul_into<A, B, C>(a: &A, b: &B, c: &mut C /* matmul_into(&a, &b, &mut c) */)
where
    A: Operand,
    B: Operand,
    C: OperandMut<
        Layout: ProductOf<A::Layout, B::Layout>
                    + Layout<Shape: ShapeOfProduct<ShapeOf<A>, ShapeOf<B>>>,
    >,
{
    let () = Planned::<A::Layout, B::Layout, C::Layout>::CHECKED;
    or_end(write_product(a, b, c));
}

/// A new array for a product. Its bounded dimensions have the sizes of the product.
#[track_caller]
fn fresh<A: Operand, B: Operand, C: Layout>(a: &A, b: &B) -> Result<Packed<C>, PackError> {
    let labels = const { Labels::of_matrices(A::Layout::RANK, B::Layout::RANK) };
    fresh_of(&labels, array(a), array(b))
}

/// [`fresh`], for arrays whose dimensions have labels.
#[track_caller]
fn fresh_of<C: Layout>(
    labels: &Labels,
    a: Array<'_>,
    b: Array<'_>,
) -> Result<Packed<C>, PackError> {
    let mut c = Packed::try_fresh()?;
    if const { is_bounded::<C>() } {
        let sizes = labels.sizes(&labels.c, &[usize::MAX; MAX_RANK], a.sized(), b.sized());
        for (dim, size) in sizes.into_iter().enumerate().take(C::RANK) {
            if is_bounded_in::<C>(dim) {
                c.set_len(dim, size)?;
            }
        }
    }
    Ok(c)
}

/// The plan that rustc makes for products of two arrays in a layout.
struct Planned<A, B, C>(PhantomData<(A, B, C)>);

impl<A: Layout, B: Layout, C: Layout> Planned<A, B, C> {
    /// Fails to compile unless the batch dimensions match. Each function that users call evaluates it, so that rustc reports
    /// the user's line.
    const CHECKED: () = types::check_batch([A::SPEC, B::SPEC, C::SPEC]);
    /// Products of batches.
    const BATCHED: Option<&'static Contraction> = {
        let (a, b, c) = (Const::<A>::SPEC, Const::<B>::SPEC, Const::<C>::SPEC);
        let labels = Labels::of_matrices(a.rank(), b.rank());
        if c.rank() > 2 { Some(&Contraction::new(a, b, c, labels)) } else { None }
    };
    const SMALL: Option<Small> = match C::RANK {
        2 => Small::of(Const::<A>::SPEC, Const::<B>::SPEC, Const::<C>::SPEC),
        _ => None,
    };
}

/// An operand in the form that the kernels need.
fn array<A: Operand>(operand: &A) -> Array<'_> {
    let view = operand.view();
    Array::new(Const::<A::Layout>::SPEC, view.sizes(), view.as_bytes())
}

/// The sizes of a product according to the arrays, with its rows and columns last.
///
/// # Panics
/// If a bounded dimension differs from another dimension to which it must be equal.
#[track_caller]
fn product_sizes<A: Operand, B: Operand, C: Operand>(
    a: &A,
    b: &B,
    c: Option<&C>,
) -> [usize; MAX_RANK] {
    let labels = const { Labels::of_matrices(A::Layout::RANK, B::Layout::RANK) };
    let (a, b) = (array(a), array(b));
    let sizes = labels.sizes(&labels.c, &[usize::MAX; MAX_RANK], a.sized(), b.sized());
    if let Some(c) = c.filter(|_| const { is_bounded::<C::Layout>() }) {
        for (dim, (held, size)) in c.view().sizes().iter().zip(sizes).enumerate() {
            if is_bounded_in::<C::Layout>(dim) {
                assert_same_sizes(&[*held], &[size]);
            }
        }
    }
    sizes
}

/// The rows, inner dimension and columns of a product according to the arrays.
///
/// # Panics
/// As for [`product_sizes`], and if bounded inner dimensions differ.
#[track_caller]
fn product_dims<A: Operand, B: Operand, C: Operand>(a: &A, b: &B, c: Option<&C>) -> [usize; 3] {
    let (&[.., rows, a_inner], &[.., b_inner, columns]) = (a.view().sizes(), b.view().sizes())
    else {
        unreachable!("matrices have two dimensions")
    };
    let inner = const { (A::Layout::RANK - 1, B::Layout::RANK - 2) };
    if is_bounded_in::<A::Layout>(inner.0) && is_bounded_in::<B::Layout>(inner.1) {
        assert_same_sizes(&[a_inner], &[b_inner]);
    }
    if const { is_bounded::<C::Layout>() || C::Layout::RANK > 2 } {
        product_sizes(a, b, c);
    }
    [rows, a_inner.min(b_inner), columns]
}

/// [`try_matmul_into`] for matrices whose layouts are only known at run time. `dims` are the rows, the inner dimension and the
/// columns.
pub(super) fn multiply_dyn<A: MatmulElement<B>, B: Element>(
    dims: [usize; 3],
    a: (&TiledSpec, &[u8]),
    b: (&TiledSpec, &[u8]),
    c: (&TiledSpec, &mut [u8]),
) -> Result<(), PackError> {
    let kernel = MicroKernel::choose([A::DTYPE, B::DTYPE]);
    entry::multiply::<A::Sum>(kernel, dims, a, b, c, None, None)
}

/// [`matmul_into`] that returns an error if memory cannot be allocated.
///
/// # Errors
/// [`PackError::OutOfMemory`] if memory for the copies cannot be allocated, with the layout of the matrix that they are for.
/// The contents of `c` are then unspecified.
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
///
/// # Panics
/// If bounded dimensions differ, as for [`matmul_into`].
pub fn try_matmul_into<A, B, C>(a: &A, b: &B, c: &mut C) -> Result<(), PackError>
where
    A: Operand,
    B: Operand,
    C: OperandMut<
        Layout: ProductOf<A::Layout, B::Layout>
                    + Layout<Shape: ShapeOfProduct<ShapeOf<A>, ShapeOf<B>>>,
    >,
{
    let () = Planned::<A::Layout, B::Layout, C::Layout>::CHECKED;
    write_product(a, b, c)
}

/// [`try_matmul`] of batches that match.
#[track_caller]
fn product<A, B, C>(a: &A, b: &B) -> Result<Packed<C>, PackError>
where
    A: Operand,
    B: Operand,
    C: ProductOf<A::Layout, B::Layout>,
{
    let mut c = fresh(a, b)?;
    write_product(a, b, &mut c)?;
    Ok(c)
}

/// [`try_matmul_into`] of batches that match.
#[track_caller]
fn write_product<A, B, C>(a: &A, b: &B, c: &mut C) -> Result<(), PackError>
where
    A: Operand,
    B: Operand,
    C: OperandMut<Layout: ProductOf<A::Layout, B::Layout>>,
{
    let dims = product_dims(a, b, Some(&*c));
    if let Some(batched) = const { Planned::<A::Layout, B::Layout, C::Layout>::BATCHED } {
        let mut c = c.view_mut();
        let to = (Const::<C::Layout>::SPEC, c.as_bytes_mut());
        return batched.run::<<C::Layout as ProductOf<A::Layout, B::Layout>>::Sum>(
            array(a),
            array(b),
            to,
            None,
            None,
        );
    }
    let (a, b, mut c) = (a.view(), b.view(), c.view_mut());
    if let Some(small) = const { Planned::<A::Layout, B::Layout, C::Layout>::SMALL } {
        small.multiply(a.as_bytes(), b.as_bytes(), c.as_bytes_mut());
        return Ok(());
    }
    entry::multiply::<<C::Layout as ProductOf<A::Layout, B::Layout>>::Sum>(
        MicroKernel::choose([ElementOf::<A>::DTYPE, ElementOf::<B>::DTYPE]),
        dims,
        (Const::<A::Layout>::SPEC, a.as_bytes()),
        (Const::<B::Layout>::SPEC, b.as_bytes()),
        (Const::<C::Layout>::SPEC, c.as_bytes_mut()),
        None,
        None,
    )
}
