//! Products by the numbers of dimensions, as in XLA and StableHLO.

use super::contraction::Array;
use super::contraction::Contraction;
use super::labels::{Labelled, Labels, Sized, position};
use super::{ElementOf, MatmulElement, Operand, RoundedFrom, Sum, SumOf, array, fresh_of};
use crate::element::Element;
use crate::movement::run_time::allocate;
use crate::movement::{DynLayout, PackError};
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
/// The bounds of paired dimensions may differ, and so may those of the result, if the current sizes fit:
/// ```
/// use tensor_layout::{DotDimensionNumbers, Packed, dot_general, tiled};
/// let mut a = Packed::<tiled!(f32[4,<=8])>::filled(1.0);
/// a.set_len(1, 3)?;
/// let mut b = Packed::<tiled!(f32[<=6,5])>::filled(2.0);
/// b.set_len(0, 3)?;
/// let numbers = DotDimensionNumbers {
///     lhs_contracting_dimensions: &[1],
///     rhs_contracting_dimensions: &[0],
///     ..Default::default()
/// };
/// let c: Packed<tiled!(f32[4,5])> = dot_general(&a, &b, &numbers);
/// assert_eq!(c.unpack(), [6.0; 20]);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
/// Operands and result are then first copied to arrays of these sizes.
///
/// Takes `B * M * K * N` multiplications for the sizes of the batch, of the other dimensions of the left operand, of those that are
/// summed over, and of the other dimensions of the right operand. [`einsum!`](crate::einsum#speed) says which arrays are copied
/// first.
///
/// # Panics
/// If a number is not that of a dimension, or occurs twice; if the lists of the two operands differ in length; or if the
/// current sizes of paired dimensions differ, unless only one of them is bounded, and its bound is the size of the other: the
/// rest of the shorter one then counts as zero. If the result does not have the sizes of the product, or has a bound that is
/// smaller. If memory cannot be allocated, as collections do.
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
    let labels = labels(a.sized(), b.sized(), c_spec, numbers);
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
    let labels = labels(a.sized(), b.sized(), spec, numbers);
    run::<SumOf<A, B>>((a, b), labels, (spec, c))
}

/// [`dot_general`] of packed arrays whose layouts are values, into the packed array `c`. Their element types must be such that the
/// products are summed up in `S`, and the sums can be rounded to elements of `c`. No dimension may be bounded.
///
/// # Errors
/// [`PackError::OutOfMemory`] if memory for copies cannot be allocated.
///
/// # Panics
/// As for [`dot_general`], except for a lack of memory, and if a slice is shorter than its array.
#[cfg(all(feature = "sharding", feature = "std"))]
#[track_caller]
pub(crate) fn dot_general_bytes<S: Sum>(
    (a_spec, a): (&TiledSpec, &[u8]),
    (b_spec, b): (&TiledSpec, &[u8]),
    numbers: &DotDimensionNumbers<'_>,
    (c_spec, c): (&TiledSpec, &mut [u8]),
) -> Result<(), PackError> {
    let a = Array::new(a_spec, a_spec.dims(), a);
    let b = Array::new(b_spec, b_spec.dims(), b);
    let labels = labels(a.sized(), b.sized(), c_spec, numbers);
    run::<S>((a, b), labels, (c_spec, c))
}

/// Runs a product whose dimensions have these labels.
fn run<S: Sum>(
    (a, b): (Array<'_>, Array<'_>),
    labels: Labels,
    to: (&TiledSpec, &mut [u8]),
) -> Result<(), PackError> {
    if has_common_bounds(&labels, [a.spec, b.spec, to.0]) {
        return run_bounded::<S>((a, b), labels, to);
    }
    // The matrices of the three arrays do not have the same sizes.
    let sizes = |of, spec: &TiledSpec| labels.sizes(of, spec.dims(), a.sized(), b.sized());
    let (a_rows, a_bytes) = reached(a, &sizes(&labels.a, a.spec)[..a.spec.rank()])?;
    let (b_rows, b_bytes) = reached(b, &sizes(&labels.b, b.spec)[..b.spec.rank()])?;
    let sizes = &sizes(&labels.c, to.0)[..to.0.rank()];
    let (c_rows, mut c) = of_sizes(to.0, sizes)?;
    let a = Array::new(&a_rows, a_rows.dims(), &a_bytes);
    let b = Array::new(&b_rows, b_rows.dims(), &b_bytes);
    run_bounded::<S>((a, b), labels, (&c_rows, &mut c))?;
    to.1.fill(0);
    to.0.pack_window_bytes(&[0; MAX_RANK][..sizes.len()], sizes, &c, to.1)
}

/// Whether each dimension has the same bound in all arrays that have it.
fn has_common_bounds(labels: &Labels, [a, b, c]: [&TiledSpec; 3]) -> bool {
    let arrays = [(&labels.a, a), (&labels.b, b), (&labels.c, c)];
    let bound = |of: &Labelled, spec: &TiledSpec, label| Some(spec.dims()[position(of, label)?]);
    arrays.iter().all(|(of, spec)| {
        of.as_slice().iter().zip(spec.dims()).all(|(label, here)| {
            arrays
                .iter()
                .all(|(of, spec)| bound(of, spec, *label).is_none_or(|there| there == *here))
        })
    })
}

/// The elements of an array within these sizes, as a row-major array.
fn reached(array: Array<'_>, sizes: &[usize]) -> Result<(TiledSpec, Vec<u8>), PackError> {
    let (spec, mut bytes) = of_sizes(array.spec, sizes)?;
    array.spec.unpack_window_bytes(
        &[0; MAX_RANK][..sizes.len()],
        sizes,
        array.bytes,
        &mut bytes,
    )?;
    Ok((spec, bytes))
}

/// A row-major layout of the elements of another one with other sizes, and zeros for it.
fn of_sizes(spec: &TiledSpec, sizes: &[usize]) -> Result<(TiledSpec, Vec<u8>), PackError> {
    let spec = TiledSpec::row_major(spec.dtype(), sizes).expect("no larger than the array");
    let bytes = allocate(&spec, spec.storage_bytes())?;
    Ok((spec, bytes))
}

/// [`run`] of arrays of which each dimension has the same bound in all.
fn run_bounded<S: Sum>(
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
        let a = Array::new(self.spec(), self.dims(), self.as_bytes());
        let b = Array::new(other.spec(), other.dims(), other.as_bytes());
        let labels = labels(a.sized(), b.sized(), spec, numbers);
        let mut c = DynPacked::zeroed(spec)?;
        let sizes = labels.sizes(&labels.c, &[usize::MAX; MAX_RANK], a.sized(), b.sized());
        c.set_dims(&sizes[..spec.rank()])?;
        run::<E::Sum>((a, b), labels, c.parts_mut())?;
        Ok(c)
    }
}

/// The label of the first free dimension of the right operand.
const FREE: usize = 100;

/// A label for each dimension of two operands and of their product.
#[track_caller]
fn labels(a: Sized<'_>, b: Sized<'_>, c: &TiledSpec, numbers: &DotDimensionNumbers<'_>) -> Labels {
    let DotDimensionNumbers {
        lhs_batching_dimensions: a_batch,
        rhs_batching_dimensions: b_batch,
        lhs_contracting_dimensions: a_inner,
        rhs_contracting_dimensions: b_inner,
    } = *numbers;
    let (a_rank, b_rank) = (a.spec.rank(), b.spec.rank());
    let mut b_labels: Vec<u8> = (0..b_rank).map(|dim| (FREE + dim) as u8).collect();
    for (what, left, right) in [("batching", a_batch, b_batch), ("contracting", a_inner, b_inner)] {
        assert!(
            left.len() == right.len(),
            "there are {} {what} dimensions on the left, but {} on the right",
            left.len(),
            right.len()
        );
        for (&left, &right) in left.iter().zip(right) {
            assert_same_size(what, (a, left), (b, right));
            b_labels[right] = left as u8;
        }
    }
    for (dims, taken) in [(a.spec.dims(), [a_batch, a_inner]), (b.spec.dims(), [b_batch, b_inner])]
    {
        for dim in 0..dims.len() {
            let times = taken.iter().copied().flatten().filter(|taken| **taken == dim).count();
            assert!(times < 2, "dimension {dim} of {dims:?} is listed {times} times");
        }
    }
    let a_labels: Vec<u8> = (0..a_rank).map(|dim| dim as u8).collect();
    let batch = a_batch.iter().map(|dim| *dim as u8);
    let a_free = a_labels.iter().copied();
    let a_free = a_free.filter(|label| ![a_batch, a_inner].concat().contains(&usize::from(*label)));
    let b_free = b_labels.iter().copied().filter(|label| usize::from(*label) >= FREE);
    let c_labels: Vec<u8> = batch.chain(a_free).chain(b_free).collect();
    assert_room(&c_labels, a, b, c);
    Labels::new(&a_labels, &b_labels, &c_labels)
}

/// Checks that two paired dimensions exist and have the same size. The bounds of bounded dimensions may differ; if they do not,
/// [`Labels::size`] compares the sizes.
#[track_caller]
fn assert_same_size(what: &str, left: (Sized<'_>, usize), right: (Sized<'_>, usize)) {
    let [(left_bound, left_size), (right_bound, right_size)] = [left, right].map(|(of, dim)| {
        let dims = of.spec.dims();
        assert!(dim < dims.len(), "{what} dimension {dim} is not one of {dims:?}");
        (dims[dim], of.sizes[dim])
    });
    assert!(
        left_bound == right_bound || left_size == right_size,
        "{what} dimension {} of the left operand has size {left_size}, but dimension {} of the right one has {right_size}",
        left.1,
        right.1
    );
}

/// Checks that the result has the sizes of the product, or bounds that are not smaller.
#[track_caller]
fn assert_room(labels: &[u8], a: Sized<'_>, b: Sized<'_>, c: &TiledSpec) {
    let of = |label: &u8| match usize::from(*label) {
        label if label < FREE => (a.spec.dims()[label], a.sizes[label]),
        label => (b.spec.dims()[label - FREE], b.sizes[label - FREE]),
    };
    let has_room = |(dim, (bound, size)): (usize, (usize, usize))| {
        let here = c.dims()[dim];
        here == bound || here == size || here > size && c.draft().bounded >> dim & 1 == 1
    };
    assert!(
        labels.len() == c.rank() && labels.iter().map(of).enumerate().all(has_room),
        "the product has the sizes {:?}, but the result {:?}",
        labels.iter().map(|label| of(label).1).collect::<Vec<_>>(),
        c.dims()
    );
}

#[cfg(test)]
mod tests {
    use super::{DotDimensionNumbers, dot_general};
    use crate::movement::tests::reference::Random;
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

    /// Two dimensions are summed over, and random sizes are below bounds that differ between all arrays.
    #[test]
    fn bounds_that_differ() {
        type A = tiled!(f32[<=9,<=7,<=5,3]{1,0,2,3:T(8,128)});
        type B = tiled!(f32[<=6,4,<=8,<=9]{0,1,2,3});
        type C = tiled!(f32[<=11,3,<=4]{2,1,0:T(8,128)});
        let numbers = DotDimensionNumbers {
            lhs_batching_dimensions: &[2],
            rhs_batching_dimensions: &[0],
            lhs_contracting_dimensions: &[1, 0],
            rhs_contracting_dimensions: &[2, 3],
        };
        let mut random = Random(7);
        for round in 0..20 {
            let [d, k, b] = [random.below(10), random.below(8), random.below(6)];
            let (mut left, mut right) =
                (Packed::<A>::zeroed().unwrap(), Packed::<B>::zeroed().unwrap());
            left.as_bytes_mut().fill(0xFF);
            right.as_bytes_mut().fill(0xFF);
            for (left_dim, size, right_dim) in [(0, d, 3), (1, k, 2), (2, b, 0)] {
                left.set_len(left_dim, size).unwrap();
                right.set_len(right_dim, size).unwrap();
            }
            for at in 0..d * k * b * 3 {
                let [rest, x] = [at / 3, at % 3];
                left.set([rest / b / k, rest / b % k, rest % b, x], random.below(9) as f32)
                    .unwrap();
            }
            for at in 0..b * 4 * k * d {
                let [rest, z] = [at / d, at % d];
                right
                    .set([rest / k / 4, rest / k % 4, rest % k, z], random.below(9) as f32)
                    .unwrap();
            }
            let sum = |[i, x, y]: [usize; 3]| -> f32 {
                (0..k * d)
                    .map(|at| left.get([at % d, at / d, i, x]) * right.get([i, y, at / d, at % d]))
                    .sum()
            };
            let c: Packed<C> = dot_general(&left, &right, &numbers);
            assert_eq!(c.dims(), [b, 3, 4], "round {round}");
            for at in 0..b * 12 {
                let index = [at / 12, at / 4 % 3, at % 4];
                assert_eq!(c.get(index), sum(index), "round {round}, {index:?}");
            }
        }
    }

    #[test]
    #[should_panic(
        expected = "contracting dimension 1 of the left operand has size 3, but dimension 0 of the right one has 4"
    )]
    fn bounds_and_sizes_that_differ() {
        let a = Packed::<tiled!(f32[2,<=8])>::with_sizes([2, 3]).unwrap();
        let b = Packed::<tiled!(f32[<=6,5])>::with_sizes([4, 5]).unwrap();
        let numbers = DotDimensionNumbers {
            lhs_contracting_dimensions: &[1],
            rhs_contracting_dimensions: &[0],
            ..Default::default()
        };
        let _: Packed<tiled!(f32[2,5])> = dot_general(&a, &b, &numbers);
    }

    #[test]
    #[should_panic(expected = "the product has the sizes [3, 5], but the result [2, 5]")]
    fn a_bound_that_has_no_room() {
        let a = Packed::<tiled!(f32[<=8,2])>::with_sizes([3, 2]).unwrap();
        let b = Packed::<tiled!(f32[2,5])>::zeroed().unwrap();
        let numbers = DotDimensionNumbers {
            lhs_contracting_dimensions: &[1],
            rhs_contracting_dimensions: &[0],
            ..Default::default()
        };
        let _: Packed<tiled!(f32[<=2,5])> = dot_general(&a, &b, &numbers);
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
