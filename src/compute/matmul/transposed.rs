//! Matrices with their dimensions exchanged: the same bytes in another layout.

use crate::element::{Element, PackingOf, Width};
use crate::typed::sizes::{RunTimeSizes, bounds};
use crate::typed::types::{
    Attribute, Attributes, Bounded, ElementBits, MemorySpace, Order2, Order3, Order4, Shape2,
    Shape3, Shape4, TailAlignment, Tiles,
};
use crate::typed::{Layout, Packed, PackedRef, Tiled};
use typenum::{U2, U3, U4};

/// A layout of matrices whose bytes are also a transposed matrix: an array of `f32[3,5]{1,0:T(2,2)}` is also one of
/// `f32[5,3]{0,1:T(2,2)}`. In batches of matrices, the last two dimensions are exchanged: `f32[7,3,5]{2,1,0}` is also
/// `f32[7,5,3]{1,2,0}`.
///
/// ```
/// use tensor_layout::{Layout, Packed, PackedRef, TransposedLayout, tiled};
///
/// fn columns<L: TransposedLayout>(a: &Packed<L>) -> PackedRef<'_, L::Transposed> {
///     a.transposed()
/// }
///
/// let a = <tiled!(f32[2,3])>::pack(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// assert_eq!(columns(&a).get([2, 0]), 3.0);
/// # Ok::<(), tensor_layout::PackError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no transposed layout of the same bytes",
    note = "layouts of two to four dimensions have one, unless they are padded explicitly, split between memories, or start with a prefix"
)]
pub trait TransposedLayout: Layout {
    /// The layout of the transposed matrix.
    type Transposed: Layout<Element = <Self as Layout>::Element>;
}

/// An attribute of an array of `Rank` dimensions, and that of the array with its last two dimensions exchanged.
pub trait ExchangedAttribute<Rank>: Attribute {
    /// The attribute of the other array.
    type Exchanged: Attribute;
}

/// The attributes of an array; see [`ExchangedAttribute`].
pub trait ExchangedAttributes<Rank>: Attributes {
    /// The attributes of the other array.
    type Exchanged: Attributes;
}

impl<Rank, const BITS: usize> ExchangedAttribute<Rank> for ElementBits<BITS>
where
    Width<BITS>: PackingOf,
{
    type Exchanged = Self;
}

impl<Rank, const N: usize> ExchangedAttribute<Rank> for TailAlignment<N> {
    type Exchanged = Self;
}

impl<Rank, const N: usize> ExchangedAttribute<Rank> for MemorySpace<N> {
    type Exchanged = Self;
}

/// A bit for each bounded dimension; the bits of the last two are exchanged.
macro_rules! exchanged_bounds {
    ($($Rank:ident: $([$mask:literal $other:literal])*;)*) => { $( $(
        impl ExchangedAttribute<$Rank> for Bounded<$mask> {
            type Exchanged = Bounded<$other>;
        }
    )* )* };
}
exchanged_bounds! {
    U2: [1 2] [2 1] [3 3];
    U3: [1 1] [2 4] [3 5] [4 2] [5 3] [6 6] [7 7];
    U4: [1 1] [2 2] [3 3] [4 8] [5 9] [6 10] [7 11] [8 4] [9 5] [10 6] [11 7] [12 12] [13 13] [14 14] [15 15];
}

macro_rules! exchanged_attributes {
    ($(($($A:ident)*))*) => { $(
        impl<Rank, $($A: ExchangedAttribute<Rank>),*> ExchangedAttributes<Rank> for ($($A,)*)
        where
            Self: Attributes,
            ($($A::Exchanged,)*): Attributes,
        {
            type Exchanged = ($($A::Exchanged,)*);
        }
    )* };
}
exchanged_attributes! { () (A) (A B) (A B C) (A B C D) }

/// Each order, and the same order with the last two dimensions exchanged.
macro_rules! exchanged {
    ($Shape:ident $batch:tt $Rank:ident, $Order:ident: $([$($from:literal)*] [$($to:literal)*])*) => { $(
        exchanged! { @$Shape $batch $Rank $Order [$($from)*] [$($to)*] }
        exchanged! { @$Shape $batch $Rank $Order [$($to)*] [$($from)*] }
    )* };
    (@$Shape:ident [$($batch:ident)*] $Rank:ident $Order:ident [$($from:literal)*] [$($to:literal)*]) => {
        impl<E, T, A, $(const $batch: usize,)* const M: usize, const N: usize> TransposedLayout
            for Tiled<E, $Shape<$($batch,)* M, N>, $Order<$($from),*>, T, A>
        where
            E: Element,
            T: Tiles,
            A: ExchangedAttributes<$Rank>,
        {
            type Transposed =
                Tiled<E, $Shape<$($batch,)* N, M>, $Order<$($to),*>, T, A::Exchanged>;
        }
    };
}
exchanged! { Shape2 [] U2, Order2: [1 0] [0 1] }
exchanged! { Shape3 [B] U3, Order3: [2 1 0] [1 2 0]  [2 0 1] [1 0 2]  [0 2 1] [0 1 2] }
exchanged! { Shape4 [B C] U4, Order4:
    [3 2 1 0] [2 3 1 0]  [3 2 0 1] [2 3 0 1]  [3 1 2 0] [2 1 3 0]  [3 0 2 1] [2 0 3 1]
    [3 1 0 2] [2 1 0 3]  [3 0 1 2] [2 0 1 3]  [1 3 2 0] [1 2 3 0]  [0 3 2 1] [0 2 3 1]
    [1 3 0 2] [1 2 0 3]  [0 3 1 2] [0 2 1 3]  [1 0 3 2] [1 0 2 3]  [0 1 3 2] [0 1 2 3]
}

impl<'a, L: TransposedLayout> PackedRef<'a, L> {
    /// The transposed matrix in the same bytes; nothing is moved. For layouts of two to four dimensions without explicit padding,
    /// splits between memories and a prefix.
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
    fn other_attributes_are_those_of_the_layout() {
        type Nibbles = tiled!(s4[3,<=5]{1,0:T(2,8)(4,1)L(64)E(4)S(1)});
        type Exchanged = tiled!(s4[<=5,3]{0,1:T(2,8)(4,1)L(64)E(4)S(1)});
        let packed = Packed::<Nibbles>::from_fn(|[i, j]| (i * 5 + j) as i8 - 8);
        let turned: crate::PackedRef<'_, Exchanged> = packed.transposed();
        for ([i, j], value) in packed.indexed_iter() {
            assert_eq!(turned.get([j, i]), value);
        }
    }

    #[test]
    fn bounded_batches_keep_their_sizes() {
        fn check<L>(sizes: &[usize])
        where
            L: super::TransposedLayout<Index: Default> + Layout<Element = crate::F32>,
            L::Transposed: Layout<Index = L::Index>,
        {
            let mut packed = Packed::<L>::from_fn(|index| {
                index.as_ref().iter().fold(0.0, |number, at| number * 16.0 + *at as f32)
            });
            for (dim, size) in sizes.iter().enumerate() {
                packed.set_len(dim, *size).unwrap();
            }
            let turned = packed.transposed();
            let mut exchanged = sizes.to_vec();
            exchanged[L::RANK - 2..].reverse();
            assert_eq!(turned.dims().as_ref(), exchanged, "{}", L::SPEC);
            let mut count: usize = 0;
            for (mut index, value) in packed.indexed_iter() {
                index.as_mut()[L::RANK - 2..].reverse();
                assert_eq!(turned.get(index), value, "{index:?} of {}", L::SPEC);
                count += 1;
            }
            assert_eq!(count, sizes.iter().product::<usize>());
        }
        check::<tiled!(f32[<=4,3,5]{2,1,0:T(2,2)})>(&[3, 3, 5]);
        check::<tiled!(f32[4,<=3,5]{2,0,1:T(2,2)})>(&[4, 2, 5]);
        check::<tiled!(f32[<=4,<=3,5]{0,1,2})>(&[1, 2, 5]);
        check::<tiled!(f32[4,3,<=5]{1,2,0:T(8,128)})>(&[4, 3, 2]);
        check::<tiled!(f32[<=4,3,<=5]{1,0,2})>(&[2, 3, 4]);
        check::<tiled!(f32[4,<=3,<=5]{0,2,1:T(2,2)})>(&[4, 1, 0]);
        check::<tiled!(f32[<=4,<=3,<=5])>(&[4, 3, 5]);
        macro_rules! rank_4 {
            ($($shape:tt $sizes:expr;)*) => { $(
                check::<tiled!(f32 $shape {3,2,1,0:T(2,2)})>(&$sizes);
                check::<tiled!(f32 $shape {1,3,0,2})>(&$sizes);
            )* };
        }
        rank_4! {
            [<=2,3,4,5] [1, 3, 4, 5];
            [2,<=3,4,5] [2, 2, 4, 5];
            [<=2,<=3,4,5] [1, 2, 4, 5];
            [2,3,<=4,5] [2, 3, 3, 5];
            [<=2,3,<=4,5] [1, 3, 1, 5];
            [2,<=3,<=4,5] [2, 1, 2, 5];
            [<=2,<=3,<=4,5] [1, 1, 2, 5];
            [2,3,4,<=5] [2, 3, 4, 2];
            [<=2,3,4,<=5] [1, 3, 4, 3];
            [2,<=3,4,<=5] [2, 1, 4, 4];
            [<=2,<=3,4,<=5] [1, 2, 4, 1];
            [2,3,<=4,<=5] [2, 3, 2, 1];
            [<=2,3,<=4,<=5] [1, 3, 3, 4];
            [2,<=3,<=4,<=5] [2, 0, 4, 5];
            [<=2,<=3,<=4,<=5] [1, 2, 3, 4];
        }
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
