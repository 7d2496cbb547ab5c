//! Products by the numbers of dimensions, as in XLA and StableHLO.

use super::contraction::Array;
use super::contraction::Contraction;
use super::labels::Labels;
use super::{ElementOf, MatmulElement, Operand, RoundedFrom, Sum, SumOf, array, fresh_of};
use crate::element::Element;
use crate::movement::PackError;
use crate::typed::entry::Const;
use crate::typed::packed::or_end;
use crate::typed::{DynPacked, Layout, Packed};
use alloc::vec::Vec;
use layout_core::parts::MAX_RANK;
use layout_core::tiled::TiledSpec;

/// The dimensions of two operands that a product pairs: the dimension numbers of `stablehlo.dot_general`.
///
/// The dimensions of the result are those of the batch, then the other dimensions of the left operand, then those of the right
/// operand.
///
/// ```
/// use tensor_layout::{DotDimensionNumbers, Layout, Packed, dot_general, tiled};
/// let a = <tiled!(f32[2,3])>::pack(&[1.0; 6])?;
/// let b = <tiled!(f32[4,3])>::pack(&[1.0; 12])?;
/// // The product of `a` and the transposed `b`.
/// let numbers = DotDimensionNumbers {
///     lhs_contracting_dimensions: &[1],
///     rhs_contracting_dimensions: &[1],
///     ..Default::default()
/// };
/// let c: Packed<tiled!(f32[2,4])> = dot_general(&a, &b, &numbers);
/// assert_eq!(c.get([1, 3]), 3.0);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct DotDimensionNumbers<'a> {
    /// The batch dimensions of the left operand.
    pub lhs_batching_dimensions: &'a [usize],
    /// The batch dimensions of the right operand, in the same order.
    pub rhs_batching_dimensions: &'a [usize],
    /// The dimensions of the left operand that are summed over.
    pub lhs_contracting_dimensions: &'a [usize],
    /// The dimensions of the right operand that are summed over, in the same order.
    pub rhs_contracting_dimensions: &'a [usize],
}

/// A product of arrays of any rank by dimension numbers that are only known at run time; [`einsum!`](crate::einsum) checks them
/// at compile time.
///
/// ```
/// use tensor_layout::{DotDimensionNumbers, Layout, Packed, dot_general, half::bf16, tpu};
/// let q = <tpu!(bf16[4,20,64])>::pack(&[bf16::ONE; 4 * 20 * 64])?;
/// let k = <tpu!(bf16[4,30,64])>::pack(&[bf16::ONE; 4 * 30 * 64])?;
/// let numbers = DotDimensionNumbers {
///     lhs_batching_dimensions: &[0],
///     rhs_batching_dimensions: &[0],
///     lhs_contracting_dimensions: &[2],
///     rhs_contracting_dimensions: &[2],
/// };
/// let scores: Packed<tpu!(f32[4,20,30])> = dot_general(&q, &k, &numbers);
/// assert_eq!(scores.get([3, 19, 29]), 64.0);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
///
/// Takes `B * M * K * N` multiplications for the sizes of the batch, of the other dimensions of the left operand, of those that are
/// summed over, and of the other dimensions of the right operand. [`einsum!`](crate::einsum#speed) says which arrays are copied
/// first.
///
/// # Panics
/// If a number is not that of a dimension, or occurs twice; if the lists of the two operands differ in length; or if the sizes
/// of paired dimensions differ, or the result does not have the sizes of the product. If memory cannot be allocated, as
/// collections do.
#[track_caller]
pub fn dot_general<A, B, C>(a: &A, b: &B, numbers: &DotDimensionNumbers<'_>) -> Packed<C>
where
    A: Operand<Layout: Layout<Element: MatmulElement<ElementOf<B>>>>,
    B: Operand,
    C: Layout<Element: RoundedFrom<SumOf<A, B>>>,
{
    or_end(try_dot_general(a, b, numbers))
}

/// [`dot_general`] that returns an error if memory cannot be allocated.
///
/// ```
/// use tensor_layout::{DotDimensionNumbers, Layout, Packed, tiled, try_dot_general};
/// let vector = <tiled!(f32[3])>::pack(&[1.0, 2.0, 3.0])?;
/// let numbers = DotDimensionNumbers {
///     lhs_contracting_dimensions: &[0],
///     rhs_contracting_dimensions: &[0],
///     ..Default::default()
/// };
/// let square: Packed<tiled!(f32[])> = try_dot_general(&vector, &vector, &numbers)?;
/// assert_eq!(square.get([]), 14.0);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
///
/// # Errors
/// [`PackError::OutOfMemory`] if memory for the product, or for copies, cannot be allocated.
///
/// # Panics
/// As for [`dot_general`], except for a lack of memory.
#[track_caller]
pub fn try_dot_general<A, B, C>(
    a: &A,
    b: &B,
    numbers: &DotDimensionNumbers<'_>,
) -> Result<Packed<C>, PackError>
where
    A: Operand<Layout: Layout<Element: MatmulElement<ElementOf<B>>>>,
    B: Operand,
    C: Layout<Element: RoundedFrom<SumOf<A, B>>>,
{
    let (a, b, c_spec) = (array(a), array(b), Const::<C>::SPEC);
    let labels = labels([a.spec.dims(), b.spec.dims(), c_spec.dims()], numbers);
    let mut c = fresh_of::<C>(&labels, a, b)?;
    run::<SumOf<A, B>>((a, b), labels, (c_spec, c.as_bytes_mut()))?;
    Ok(c)
}

/// [`try_dot_general`] into the packed array `c` of the layout `spec`, whose element type is [`RoundedFrom`] the sums and which
/// has no bounded dimensions.
///
/// # Panics
/// As for [`dot_general`], except for a lack of memory.
#[cfg(feature = "sharding")]
#[track_caller]
pub(crate) fn dot_general_into<A, B>(
    a: &A,
    b: &B,
    numbers: &DotDimensionNumbers<'_>,
    spec: &TiledSpec,
    c: &mut [u8],
) -> Result<(), PackError>
where
    A: Operand<Layout: Layout<Element: MatmulElement<ElementOf<B>>>>,
    B: Operand,
{
    let (a, b) = (array(a), array(b));
    let labels = labels([a.spec.dims(), b.spec.dims(), spec.dims()], numbers);
    run::<SumOf<A, B>>((a, b), labels, (spec, c))
}

/// Runs a product whose dimensions have these labels.
fn run<S: Sum>(
    (a, b): (Array<'_>, Array<'_>),
    labels: Labels,
    to: (&TiledSpec, &mut [u8]),
) -> Result<(), PackError> {
    // Operands are exchanged if that makes the rows of the result contiguous.
    let (a, b, labels) = match labels.is_column_major(to.0) {
        true => (b, a, labels.exchanged()),
        false => (a, b, labels),
    };
    Contraction::new(a.spec, b.spec, to.0, labels).run::<S>(a, b, to, None, None)
}

impl<E: Element> DynPacked<E> {
    /// [`dot_general`] of this array and `other`, in the layout `spec`.
    ///
    /// ```
    /// use tensor_layout::{DotDimensionNumbers, DynPacked, F32, TiledSpec};
    /// let [q, k, scores]: [TiledSpec; 3] =
    ///     ["f32[4,20,64]", "f32[4,30,64]", "f32[4,20,30]"].map(|text| text.parse().unwrap());
    /// let q = DynPacked::<F32>::pack(&q, &[1.0; 4 * 20 * 64])?;
    /// let k = DynPacked::<F32>::pack(&k, &[1.0; 4 * 30 * 64])?;
    /// let numbers = DotDimensionNumbers {
    ///     lhs_batching_dimensions: &[0],
    ///     rhs_batching_dimensions: &[0],
    ///     lhs_contracting_dimensions: &[2],
    ///     rhs_contracting_dimensions: &[2],
    /// };
    /// let scores: DynPacked<F32> = q.dot_general(&k, &numbers, &scores)?;
    /// assert_eq!(scores.get(&[3, 19, 29]), 64.0);
    /// # Ok::<(), tensor_layout::PackError>(())
    /// ```
    ///
    /// # Errors
    /// As for [`DynPacked::zeroed`], and [`PackError::Window`] if a dimension that is bounded in an operand but not in `spec`
    /// is shorter than its bound.
    ///
    /// # Panics
    /// As for [`dot_general`], except for a lack of memory.
    #[track_caller]
    pub fn dot_general<B: Element, C>(
        &self,
        other: &DynPacked<B>,
        numbers: &DotDimensionNumbers<'_>,
        spec: &TiledSpec,
    ) -> Result<DynPacked<C>, PackError>
    where
        E: MatmulElement<B>,
        C: RoundedFrom<E::Sum>,
    {
        let (a_spec, b_spec) = (self.spec(), other.spec());
        let labels = labels([a_spec.dims(), b_spec.dims(), spec.dims()], numbers);
        let mut c = DynPacked::zeroed(spec)?;
        let a = Array::new(a_spec, self.dims(), self.as_bytes());
        let b = Array::new(b_spec, other.dims(), other.as_bytes());
        let sizes = labels.sizes(&labels.c, &[usize::MAX; MAX_RANK], a.sized(), b.sized());
        c.set_dims(&sizes[..spec.rank()])?;
        run::<E::Sum>((a, b), labels, c.parts_mut())?;
        Ok(c)
    }
}

/// The label of the first free dimension of the right operand.
const FREE: usize = 100;

/// A label for each dimension of arrays with these sizes.
#[track_caller]
fn labels([a, b, c]: [&[usize]; 3], numbers: &DotDimensionNumbers<'_>) -> Labels {
    let DotDimensionNumbers {
        lhs_batching_dimensions: a_batch,
        rhs_batching_dimensions: b_batch,
        lhs_contracting_dimensions: a_inner,
        rhs_contracting_dimensions: b_inner,
    } = *numbers;
    let mut b_labels: Vec<u8> = (0..b.len()).map(|dim| (FREE + dim) as u8).collect();
    for (what, left, right) in [("batching", a_batch, b_batch), ("contracting", a_inner, b_inner)] {
        assert!(
            left.len() == right.len(),
            "there are {} {what} dimensions on the left, but {} on the right",
            left.len(),
            right.len()
        );
        for (&left, &right) in left.iter().zip(right) {
            let [left_size, right_size] = [(a, left), (b, right)].map(|(dims, dim)| {
                let size = dims.get(dim).copied();
                size.unwrap_or_else(|| panic!("{what} dimension {dim} is not one of {dims:?}"))
            });
            assert!(
                left_size == right_size,
                "{what} dimension {left} of the left operand has size {left_size}, but dimension {right} of the right \
                 one has {right_size}"
            );
            b_labels[right] = left as u8;
        }
    }
    for (dims, taken) in [(a, [a_batch, a_inner]), (b, [b_batch, b_inner])] {
        for dim in 0..dims.len() {
            let times = taken.iter().copied().flatten().filter(|taken| **taken == dim).count();
            assert!(times < 2, "dimension {dim} of {dims:?} is listed {times} times");
        }
    }
    let a_labels: Vec<u8> = (0..a.len()).map(|dim| dim as u8).collect();
    let batch = a_batch.iter().map(|dim| *dim as u8);
    let a_free = a_labels.iter().copied();
    let a_free = a_free.filter(|label| ![a_batch, a_inner].concat().contains(&usize::from(*label)));
    let b_free = b_labels.iter().copied().filter(|label| usize::from(*label) >= FREE);
    let c_labels: Vec<u8> = batch.chain(a_free).chain(b_free).collect();
    let size = |label: &u8| match usize::from(*label) {
        label if label < FREE => a[label],
        label => b[label - FREE],
    };
    let sizes: Vec<usize> = c_labels.iter().map(size).collect();
    assert!(sizes == c, "the product has the sizes {sizes:?}, but the result {c:?}");
    Labels::new(&a_labels, &b_labels, &c_labels)
}

#[cfg(test)]
mod tests {
    use super::{DotDimensionNumbers, dot_general};
    use crate::{Packed, tiled};

    /// The product of `f32[2,3,4]` and `f32[2,5,4]` with the given dimension numbers.
    fn product(batch: [&[usize]; 2], inner: [&[usize]; 2]) -> Packed<tiled!(f32[2,3,5])> {
        let a = Packed::<tiled!(f32[2,3,4])>::from_fn(|[b, i, k]| (b * 12 + i * 4 + k) as f32);
        let b = Packed::<tiled!(f32[2,5,4])>::from_fn(|[b, j, k]| (b + j + k) as f32);
        let numbers = DotDimensionNumbers {
            lhs_batching_dimensions: batch[0],
            rhs_batching_dimensions: batch[1],
            lhs_contracting_dimensions: inner[0],
            rhs_contracting_dimensions: inner[1],
        };
        dot_general(&a, &b, &numbers)
    }

    #[test]
    fn dimensions_by_number() {
        let sum = |[b, i, j]: [usize; 3]| (0..4).map(|k| (b * 12 + i * 4 + k) * (b + j + k)).sum();
        let expected = Packed::<tiled!(f32[2,3,5])>::from_fn(|index| {
            let sum: usize = sum(index);
            sum as f32
        });
        assert_eq!(product([&[0], &[0]], [&[2], &[2]]), expected);
    }

    #[test]
    #[should_panic(expected = "there are 1 batching dimensions on the left, but 0 on the right")]
    fn a_batch_of_one_operand() {
        product([&[0], &[]], [&[2], &[2]]);
    }

    #[test]
    #[should_panic(
        expected = "contracting dimension 1 of the left operand has size 3, but dimension 1 of the right one has 5"
    )]
    fn sizes_that_differ() {
        product([&[0], &[0]], [&[1], &[1]]);
    }

    #[test]
    #[should_panic(expected = "contracting dimension 3 is not one of [2, 3, 4]")]
    fn a_dimension_that_is_not_there() {
        product([&[0], &[0]], [&[3], &[2]]);
    }

    #[test]
    #[should_panic(expected = "dimension 0 of [2, 3, 4] is listed 2 times")]
    fn a_dimension_twice() {
        product([&[0], &[0]], [&[0], &[0]]);
    }

    #[test]
    #[should_panic(expected = "the product has the sizes [3, 4, 5, 4], but the result [2, 3, 5]")]
    fn a_result_of_other_sizes() {
        product([&[], &[]], [&[0], &[0]]);
    }
}
