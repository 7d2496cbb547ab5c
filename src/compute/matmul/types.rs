//! The matrices that can be multiplied, and the types to which their products can be rounded.

use super::output::Number;
use crate::element::*;
use crate::require::fail;
use crate::typed::types::{Shape0, Shape1, Shape2, Shape3, Shape4, Shape5, Shape6, Shape7, Shape8};
use crate::typed::{Layout, SameShape};
use core::marker::PhantomData;
use layout_core::dtype::DType;
use layout_core::text;
use layout_core::tiled::TiledSpec;

/// A shape of matrices that can be multiplied by those of another shape: `Shape2<M, K>` by `Shape2<K, N>`. Functions for many
/// layouts need only the bound [`ProductOf`].
///
/// ```
/// use tensor_layout::MatrixShape;
/// use tensor_layout::types::Shape2;
/// type Product = <Shape2<2, 3> as MatrixShape<Shape2<3, 4>>>::Product;
/// let _: core::marker::PhantomData<Product> = core::marker::PhantomData::<Shape2<2, 4>>;
/// ```
#[diagnostic::on_unimplemented(
    message = "arrays of shape `{Self}` cannot be multiplied as matrices",
    note = "the first must have as many columns as the second has rows: `Shape2<M, K>` and `Shape2<K, N>`",
    note = "batches of matrices have the same number of leading dimensions, or one of the two is a matrix: `Shape3<B, M, K>` and `Shape3<B, K, N>`"
)]
pub trait MatrixShape<Right> {
    /// The shape of the product.
    type Product;
}

#[diagnostic::do_not_recommend]
impl<const M: usize, const K: usize, const N: usize> MatrixShape<Shape2<K, N>> for Shape2<M, K> {
    type Product = Shape2<M, N>;
}

/// The shape of no matrix. With only the implementation above, rustc would infer the rows of the second matrix from the columns
/// of the first, and its error would name neither shape.
#[doc(hidden)]
#[derive(Debug)]
pub struct NoMatrix;

#[diagnostic::do_not_recommend]
impl<const M: usize, const K: usize> MatrixShape<NoMatrix> for Shape2<M, K> {
    type Product = NoMatrix;
}

/// The shape of products of two batches of matrices, as [`MatrixShape::Product`] gives it. In each batch dimension, either both
/// batches have the same size, which is that of the product, or one has size 1. rustc checks the sizes of batches when it builds
/// the program.
#[derive(Debug)]
pub struct Broadcast<A, B>(PhantomData<fn() -> (A, B)>);

/// A shape that a product of matrices of two shapes has: `Shape2<M, N>` for `Shape2<M, K>` and `Shape2<K, N>`.
///
/// Functions for many layouts need only the bound [`ProductOf`], which includes this one.
#[diagnostic::on_unimplemented(
    message = "a product of arrays of shapes `{A}` and `{B}` does not have the shape `{Self}`",
    note = "the shapes are `Shape2<M, K>` by `Shape2<K, N>` to `Shape2<M, N>`, or with the same number of batch dimensions in front; `b.transposed()` exchanges rows and columns without a copy, and a vector is a matrix of one row"
)]
pub trait ShapeOfProduct<A, B> {}

/// A [`ShapeOfProduct`] whose sizes are known or named.
///
/// rustc drops an error that another error implies. For an open shape, the error about [`ProductOf`], which is found because
/// this trait is missing, implies the one about [`ShapeOfProduct`]. For a known shape, both are the same error, and the latter
/// is kept.
#[doc(hidden)]
pub trait NamedShape<A, B>: ShapeOfProduct<A, B> {}

/// A layout that a product of matrices of layouts `A` and `B` can have. It is the only bound that a function for many layouts
/// needs.
///
/// ```
/// use tensor_layout::{Layout, Packed, ProductOf, matmul, tiled, tpu};
///
/// fn linear<A, B, C>(x: &Packed<A>, weights: &Packed<B>) -> Packed<C>
/// where
///     A: Layout,
///     B: Layout,
///     C: ProductOf<A, B>,
/// {
///     matmul(x, weights)
/// }
///
/// let x = <tpu!(f32[2,3])>::pack(&[1.0; 6])?;
/// let weights = <tiled!(f32[3,4]{0,1})>::pack(&[2.0; 12])?;
/// let y: Packed<tpu!(bf16[2,4])> = linear(&x, &weights);
/// assert_eq!(y.get([1, 3]).to_f32(), 6.0);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to hold products of `{A}` and `{B}`",
    note = "matrices are of `F64`, or of any two of `F32`, `BF16`, `F16`, the `F8` types of numbers, `S8`, `U8`, `S4` and `U4`; products may be of `S32` too",
    note = "a function for many layouts needs one bound, on the layout of the product: `C: ProductOf<A, B>`"
)]
pub trait ProductOf<A: Layout, B: Layout>:
    Layout<Shape: ShapeOfProduct<A::Shape, B::Shape>>
{
    /// The type in which the products of elements are summed up.
    #[doc(hidden)]
    type Sum: Sum;
}

#[diagnostic::do_not_recommend]
impl<A, B, C> ProductOf<A, B> for C
where
    A: Layout<Element: MatmulElement<B::Element>>,
    B: Layout,
    C: Layout<
            Shape: NamedShape<A::Shape, B::Shape>,
            Element: RoundedFrom<<A::Element as MatmulElement<B::Element>>::Sum>,
        >,
{
    type Sum = <A::Element as MatmulElement<B::Element>>::Sum;
}

macro_rules! products {
    ($($Shape:ident: $($N:ident)*;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<A: MatrixShape<B>, B, $(const $N: usize),*> ShapeOfProduct<A, B> for $Shape<$($N),*> where
            Self: SameShape<A::Product>
        {
        }

        #[diagnostic::do_not_recommend]
        impl<A, B, $(const $N: usize),*> NamedShape<A, B> for $Shape<$($N),*> where
            Self: ShapeOfProduct<A, B>
        {
        }
    )* };
}

products! {
    Shape0:;
    Shape1: N0;
    Shape2: N0 N1;
    Shape3: N0 N1 N2;
    Shape4: N0 N1 N2 N3;
    Shape5: N0 N1 N2 N3 N4;
    Shape6: N0 N1 N2 N3 N4 N5;
    Shape7: N0 N1 N2 N3 N4 N5 N6;
    Shape8: N0 N1 N2 N3 N4 N5 N6 N7;
}

macro_rules! batches {
    ($($Shape:ident: $($A:ident)*, $($B:ident)*, $($C:ident)*;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$(const $A: usize,)* $(const $B: usize,)* const M: usize, const K: usize, const N: usize>
            MatrixShape<$Shape<$($B,)* K, N>> for $Shape<$($A,)* M, K>
        {
            type Product = Broadcast<$Shape<$($A,)* M, N>, $Shape<$($B,)* M, N>>;
        }

        #[diagnostic::do_not_recommend]
        impl<$(const $A: usize,)* $(const $B: usize,)* $(const $C: usize,)* const M: usize, const N: usize>
            SameShape<Broadcast<$Shape<$($A,)* M, N>, $Shape<$($B,)* M, N>>> for $Shape<$($C,)* M, N>
        {
        }

        #[diagnostic::do_not_recommend]
        impl<$(const $A: usize,)* const M: usize, const K: usize, const N: usize>
            MatrixShape<Shape2<K, N>> for $Shape<$($A,)* M, K>
        {
            type Product = $Shape<$($A,)* M, N>;
        }

        #[diagnostic::do_not_recommend]
        impl<$(const $B: usize,)* const M: usize, const K: usize, const N: usize>
            MatrixShape<$Shape<$($B,)* K, N>> for Shape2<M, K>
        {
            type Product = $Shape<$($B,)* M, N>;
        }
    )* };
}

batches! {
    Shape3: A0, B0, C0;
    Shape4: A0 A1, B0 B1, C0 C1;
    Shape5: A0 A1 A2, B0 B1 B2, C0 C1 C2;
    Shape6: A0 A1 A2 A3, B0 B1 B2 B3, C0 C1 C2 C3;
    Shape7: A0 A1 A2 A3 A4, B0 B1 B2 B3 B4, C0 C1 C2 C3 C4;
    Shape8: A0 A1 A2 A3 A4 A5, B0 B1 B2 B3 B4 B5, C0 C1 C2 C3 C4 C5;
}

/// Fails const evaluation unless the sizes of two batches match those of their products; see [`Broadcast`].
#[track_caller]
pub(super) const fn check_batch(specs: [TiledSpec; 3]) {
    let [a, b, c] = [specs[0].dims(), specs[1].dims(), specs[2].dims()];
    let mut dim = 0;
    while dim + 2 < c.len() {
        // A single matrix is used for each index of the batch.
        let [a, b] = [size(a, dim, c), size(b, dim, c)];
        let fits = match (a, b) {
            (1, _) => b == c[dim],
            (_, 1) => a == c[dim],
            _ => a == b && b == c[dim],
        };
        if !fits {
            let text =
                text::TextOf::<200>::new().str("batch dimension ").num(dim).str(" has size ");
            let text = text.num(a).str(" and ").num(b).str(" in the operands, and ");
            fail(
                text.num(c[dim])
                    .str(" in the product; give them equal sizes, or one operand size 1")
                    .as_str(),
            )
        }
        dim += 1;
    }
}

/// The size of a batch dimension of an operand.
const fn size(dims: &[usize], dim: usize, product: &[usize]) -> usize {
    if dims.len() == product.len() { dims[dim] } else { 1 }
}

/// An element type of matrices that can be multiplied: `f64` by `f64`, and any two of `f32`, `bf16`, `f16`, the `f8` types except
/// `f8e8m0fnu`, `s8`, `u8`, `s4` and `u4`.
///
/// ```
/// use tensor_layout::{BF16, Factor, S4};
///
/// /// The number of bytes of a row-major factor.
/// fn bytes<E: Factor, const M: usize, const N: usize>() -> usize {
///     M * N * E::DTYPE.bits() / 8
/// }
/// assert_eq!((bytes::<BF16, 2, 4>(), bytes::<S4, 2, 4>()), (16, 4));
/// ```
#[diagnostic::on_unimplemented(
    message = "matrices of `{Self}` cannot be multiplied",
    note = "`matmul` takes matrices of `F64`, and in any two of `F32`, `BF16`, `F16`, the `F8` types of numbers, `S8`, `U8`, `S4` and `U4`"
)]
pub trait Factor: Element {
    /// Whether it is an integer type.
    #[doc(hidden)]
    type Kind;
}

/// Element types whose products can be summed up: `f64` by `f64`, and any two of narrower floats and integers.
///
/// ```
/// use tensor_layout::{BF16, F32, MatmulElement, S4, S8, S32};
/// fn sums_up_in<A: MatmulElement<B, Sum = S>, B: tensor_layout::Element, S>() {}
/// sums_up_in::<BF16, S8, F32>();
/// sums_up_in::<S8, S4, S32>();
/// ```
pub trait MatmulElement<Right: Element = Self>: Element {
    /// The type in which the products are summed up: `F64` for `F64`, `S32` for integers, `F32` otherwise.
    type Sum: Sum + RoundedFrom<Self::Sum>;
}

/// A type in which products are summed up: [`F32`], [`F64`] or [`S32`]. [`MatmulElement::Sum`] says which.
pub trait Sum: Element {
    /// The type in which the sums are finished.
    #[doc(hidden)]
    type Number: Number;
}

impl Sum for F32 {
    type Number = f32;
}

impl Sum for F64 {
    type Number = f64;
}

impl Sum for S32 {
    type Number = f64;
}

/// The kind of integers.
#[derive(Debug)]
pub struct Integer;
/// See [`Integer`].
#[derive(Debug)]
pub struct Float;
/// `f64`.
#[derive(Debug)]
pub struct Double;

/// The type in which the products of two kinds are summed up.
pub trait Sums<Right> {
    /// The type.
    type Sum: Sum + RoundedFrom<Self::Sum>;
}

impl Sums<Self> for Integer {
    type Sum = S32;
}
impl Sums<Self> for Double {
    type Sum = F64;
}
impl Sums<Float> for Integer {
    type Sum = F32;
}
impl Sums<Integer> for Float {
    type Sum = F32;
}
impl Sums<Self> for Float {
    type Sum = F32;
}

impl<A: Factor<Kind: Sums<B::Kind>>, B: Factor> MatmulElement<B> for A {
    type Sum = <A::Kind as Sums<B::Kind>>::Sum;
}

/// An element type to which sums can be rounded: those of matrices that can be multiplied, and `s32`.
///
/// ```
/// use tensor_layout::{BF16, F32, RoundedFrom, S4, S32};
/// fn stores<E: RoundedFrom<S>, S>() {}
/// stores::<BF16, F32>();                                          // rounded to nearest, ties to even
/// stores::<S4, S32>();                                            // saturated
/// ```
#[diagnostic::on_unimplemented(
    message = "a product of matrices cannot be a matrix of `{Self}`",
    note = "it can be one of `F64`, `F32`, `S32`, `BF16`, `F16`, the `F8` types of numbers, `S8`, `U8`, `S4` and `U4`"
)]
pub trait RoundedFrom<Sum>: Element {}

macro_rules! factors {
    ($Kind:ident: $($Marker:ident)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Factor for $Marker {
            type Kind = $Kind;
        }
        #[diagnostic::do_not_recommend]
        impl<S: Sum> RoundedFrom<S> for $Marker {}
    )* };
}
factors! { Double: F64 }
factors! { Integer: S8 U8 S4 U4 }
factors! { Float: F32 BF16 F16 F8E5M2 F8E4M3 F8E4M3FN F8E4M3B11FNUZ F8E3M4 F8E5M2FNUZ F8E4M3FNUZ }
#[diagnostic::do_not_recommend]
impl<S: Sum> RoundedFrom<S> for S32 {}

/// The element type of panels for elements of two types: the narrowest type of a micro-kernel that has all values of both.
pub(super) const fn panel([a, b]: [DType; 2]) -> DType {
    use DType::{BF16, F16, F32, F64, S4, S8, S16, U4, U8};
    match (a, b) {
        (S8 | S4 | U4, S8 | S4 | U4) => S8,
        (S8 | S4 | U8 | U4, S8 | S4 | U8 | U4) => S16,
        (F64, _) | (_, F64) => F64,
        (F32 | F16, _) | (_, F32 | F16) => F32,
        _ => BF16,
    }
}
