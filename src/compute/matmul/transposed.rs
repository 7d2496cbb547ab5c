//! Matrices with their dimensions exchanged: the same bytes in another layout.

use crate::element::Element;
use crate::typed::sizes::{RunTimeSizes, bounds};
use crate::typed::types::{Order2, Order3, Order4, Shape2, Shape3, Shape4, Tiles};
use crate::typed::{Layout, Packed, PackedRef, Tiled};
use crate::types::Bounded;

/// A layout of matrices whose bytes are also a transposed matrix: an array of `f32[3,5]{1,0:T(2,2)}` is also one of
/// `f32[5,3]{0,1:T(2,2)}`. In batches of matrices, the last two dimensions are exchanged: `f32[7,3,5]{2,1,0}` is also
/// `f32[7,5,3]{1,2,0}`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no transposed layout of the same bytes",
    note = "layouts of two dimensions, without attributes other than bounds, and of three or four, without attributes, have one"
)]
pub trait TransposedLayout: Layout {
    /// The layout of the transposed matrix.
    type Transposed: Layout<Element = <Self as Layout>::Element>;
}

macro_rules! exchanged {
    ($($a:literal $b:literal)*) => { $(
        impl<E: Element, T: Tiles, const M: usize, const N: usize> TransposedLayout
            for Tiled<E, Shape2<M, N>, Order2<$a, $b>, T>
        {
            type Transposed = Tiled<E, Shape2<N, M>, Order2<$b, $a>, T>;
        }
        exchanged! { bounded $a $b: 1 2  2 1  3 3 }
    )* };
    // A bit for each bounded dimension.
    (bounded $a:literal $b:literal: $($mask:literal $other:literal)*) => { $(
        impl<E: Element, T: Tiles, const M: usize, const N: usize> TransposedLayout
            for Tiled<E, Shape2<M, N>, Order2<$a, $b>, T, (Bounded<$mask>,)>
        {
            type Transposed = Tiled<E, Shape2<N, M>, Order2<$b, $a>, T, (Bounded<$other>,)>;
        }
    )* };
}
exchanged! { 1 0  0 1 }

/// Batches of matrices: each order, and the same order with the last two dimensions exchanged.
macro_rules! exchanged_batches {
    ($Shape:ident $batch:tt, $Order:ident: $([$($from:literal)*] [$($to:literal)*])*) => { $(
        exchanged_batches! { @$Shape $batch $Order [$($from)*] [$($to)*] }
        exchanged_batches! { @$Shape $batch $Order [$($to)*] [$($from)*] }
    )* };
    (@$Shape:ident [$($batch:ident)*] $Order:ident [$($from:literal)*] [$($to:literal)*]) => {
        impl<E: Element, T: Tiles, $(const $batch: usize,)* const M: usize, const N: usize>
            TransposedLayout for Tiled<E, $Shape<$($batch,)* M, N>, $Order<$($from),*>, T>
        {
            type Transposed = Tiled<E, $Shape<$($batch,)* N, M>, $Order<$($to),*>, T>;
        }
    };
}
exchanged_batches! { Shape3 [A], Order3: [2 1 0] [1 2 0]  [2 0 1] [1 0 2]  [0 2 1] [0 1 2] }
exchanged_batches! { Shape4 [A B], Order4:
    [3 2 1 0] [2 3 1 0]  [3 2 0 1] [2 3 0 1]  [3 1 2 0] [2 1 3 0]  [3 0 2 1] [2 0 3 1]
    [3 1 0 2] [2 1 0 3]  [3 0 1 2] [2 0 1 3]  [1 3 2 0] [1 2 3 0]  [0 3 2 1] [0 2 3 1]
    [1 3 0 2] [1 2 0 3]  [0 3 1 2] [0 2 1 3]  [1 0 3 2] [1 0 2 3]  [0 1 3 2] [0 1 2 3]
}

impl<'a, L: TransposedLayout> PackedRef<'a, L> {
    /// The transposed matrix in the same bytes; nothing is moved.
    ///
    /// ```
    /// use tensor_layout::{Layout, Packed, matmul, tiled, tpu};
    /// type Queries = tpu!(bf16[20,64]);
    /// type Keys = tpu!(bf16[30,64]);
    /// # use tensor_layout::half::bf16;
    /// let q = Queries::pack(&[bf16::ONE; 20 * 64])?;
    /// let k = Keys::pack(&[bf16::ONE; 30 * 64])?;
    /// let scores: Packed<tpu!(f32[20,30])> = matmul(&q, &k.transposed());
    /// assert_eq!(scores.get([19, 29]), 64.0);
    /// # Ok::<(), tensor_layout::PackError>(())
    /// ```
    ///
    /// A bounded dimension, `<=n`, keeps its length. In batches of matrices, each matrix is transposed:
    /// ```
    /// use tensor_layout::{Packed, half::bf16, matmul, tpu};
    /// let q = Packed::<tpu!(bf16[2,8,20,64])>::filled(bf16::ONE);
    /// let k = Packed::<tpu!(bf16[2,8,30,64])>::filled(bf16::ONE);
    /// let scores: Packed<tpu!(f32[2,8,20,30])> = matmul(&q, &k.transposed());
    /// assert_eq!(scores.get([1, 7, 19, 29]), 64.0);
    /// ```
    pub fn transposed(self) -> PackedRef<'a, L::Transposed> {
        let mut sizes = bounds::<L::Transposed>();
        let last = self.sizes().len() - 1;
        for (dim, size) in self.sizes().iter().enumerate() {
            let to = if dim + 1 < last { dim } else { 2 * last - 1 - dim };
            sizes.set(to, *size);
        }
        PackedRef::sized(self.as_bytes(), sizes)
    }
}

impl<L: TransposedLayout> Packed<L> {
    /// See [`PackedRef::transposed`].
    pub fn transposed(&self) -> PackedRef<'_, L::Transposed> {
        self.as_ref().transposed()
    }
}

#[cfg(test)]
mod tests {
    use crate::movement::tests::reference::Random;
    use crate::typed::{Layout, Packed};
    use crate::{matmul, tiled};

    #[test]
    fn transposed_matrices_have_their_elements_exchanged() {
        fn check<L>(rows: usize, columns: usize)
        where
            L: super::TransposedLayout + Layout<Element = crate::F32, Index = [usize; 2]>,
            L::Transposed: Layout<Index = [usize; 2]>,
        {
            let values: Vec<f32> = (0..rows * columns).map(|n| n as f32).collect();
            let packed = L::pack(&values).unwrap();
            for i in 0..rows {
                for j in 0..columns {
                    assert_eq!(packed.transposed().get([j, i]), packed.get([i, j]));
                }
            }
        }
        check::<tiled!(f32[3,5])>(3, 5);
        check::<tiled!(f32[21,130]{1,0:T(8,128)})>(21, 130);
        check::<tiled!(f32[21,130]{0,1:T(8,128)(2,1)})>(21, 130);
        check::<tiled!(f32[7,9]{1,0:T(2,2)})>(7, 9);
    }

    #[test]
    fn each_matrix_of_a_batch_is_transposed() {
        fn check<L>()
        where
            L: super::TransposedLayout + Layout<Element = crate::F32>,
            L::Transposed: Layout<Index = L::Index>,
        {
            let packed = Packed::<L>::from_fn(|index| {
                index.as_ref().iter().fold(0.0, |number, at| number * 16.0 + *at as f32)
            });
            assert_eq!(
                packed.transposed().dims().as_ref()[..L::RANK - 2],
                L::SPEC.dims()[..L::RANK - 2]
            );
            for (at, value) in packed.unpack().into_iter().enumerate() {
                let mut rest = at;
                let mut index = L::DIMS;
                for (dim, size) in L::SPEC.dims().iter().enumerate().rev() {
                    index.as_mut()[dim] = rest % size;
                    rest /= size;
                }
                index.as_mut()[L::RANK - 2..].reverse();
                assert_eq!(packed.transposed().get(index), value, "{at} of {}", L::SPEC);
            }
        }
        check::<tiled!(f32[2,3,5])>();
        check::<tiled!(f32[2,3,5]{2,0,1:T(2,2)})>();
        check::<tiled!(f32[2,3,5]{0,1,2:T(8,128)})>();
        check::<tiled!(f32[2,3,4,5]{3,1,2,0:T(8,128)})>();
        check::<tiled!(f32[2,3,4,5]{0,3,1,2})>();
        check::<tiled!(f32[2,3,4,5]{1,0,2,3:T(2,2)})>();
    }

    #[test]
    fn products_of_transposed_batches() {
        let q = Packed::<tiled!(f32[2,3,4,5]{3,2,1,0:T(8,128)})>::from_fn(|[a, b, i, j]| {
            (a + 2 * b + i * j) as f32
        });
        let k = Packed::<tiled!(f32[2,3,6,5]{3,1,2,0:T(8,128)})>::from_fn(|[a, b, i, j]| {
            (3 * a + b + i + 2 * j) as f32
        });
        let scores = matmul::<_, _, tiled!(f32[2,3,4,6])>(&q, &k.transposed());
        for ([a, b, i, j], score) in
            [[0, 0, 0, 0], [1, 2, 3, 5], [1, 0, 2, 4]].map(|at| (at, scores.get(at)))
        {
            let sum: f32 = (0..5).map(|d| q.get([a, b, i, d]) * k.get([a, b, j, d])).sum();
            assert_eq!(score, sum);
        }
    }

    #[test]
    fn bounded_matrices_keep_their_sizes() {
        type Keys = tiled!(f32[<=40,30]{1,0:T(8,128)});
        let mut keys = Packed::<Keys>::with_sizes([0, 30]).unwrap();
        keys.push_rows(&(0..7 * 30).map(|n| n as f32).collect::<Vec<_>>()).unwrap();
        let turned = keys.transposed();
        assert_eq!((turned.dims(), turned.get([29, 6])), ([30, 7], keys.get([6, 29])));

        let queries = <tiled!(f32[2,30])>::pack(&[1.0; 60]).unwrap();
        let scores = matmul::<_, _, tiled!(f32[2,<=40])>(&queries, &turned);
        let sums = keys.sum(&[1]);
        assert_eq!((scores.dims(), scores.unpack()), ([2, 7], [&*sums, &sums].concat()));

        type Both = tiled!(s8[<=4,<=6]{0,1:T(8,128)(4,1)});
        let mut both = Both::pack(&[3; 24]).unwrap();
        both.set_len(1, 5).unwrap();
        both.set_len(0, 2).unwrap();
        assert_eq!((both.transposed().dims(), both.transposed().unpack()), ([5, 2], vec![3; 10]));
    }

    #[test]
    fn products_of_transposed_matrices() {
        let mut random = Random(13);
        let mut numbers = |count: usize| -> Vec<f32> {
            (0..count).map(|_| random.below(9) as f32 - 4.0).collect()
        };
        let (a, b) = (numbers(30 * 20), numbers(40 * 30));
        let a_packed = <tiled!(f32[30,20]{1,0:T(8,128)})>::pack(&a).unwrap();
        let b_packed = <tiled!(f32[40,30])>::pack(&b).unwrap();
        let c = matmul::<_, _, tiled!(f32[20,40])>(&a_packed.transposed(), &b_packed.transposed());
        let expected =
            |at: usize| -> f32 { (0..30).map(|k| a[k * 20 + at / 40] * b[at % 40 * 30 + k]).sum() };
        assert_eq!(c.unpack(), (0..20 * 40).map(expected).collect::<Vec<_>>());
    }
}
