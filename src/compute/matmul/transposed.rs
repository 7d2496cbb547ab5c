//! Matrices with their dimensions exchanged: the same bytes in another layout.

use crate::element::Element;
use crate::typed::sizes::{RunTimeSizes, bounds};
use crate::typed::types::{Order2, Shape2, Tiles};
use crate::typed::{Layout, Packed, PackedRef, Tiled};
use crate::types::Bounded;

/// A layout of matrices whose bytes are also a transposed matrix: an array of `f32[3,5]{1,0:T(2,2)}` is also one of
/// `f32[5,3]{0,1:T(2,2)}`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no transposed layout of the same bytes",
    note = "layouts of two dimensions, without attributes other than bounds, have one"
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
    /// A bounded dimension, `<=n`, keeps its length.
    pub fn transposed(self) -> PackedRef<'a, L::Transposed> {
        let mut sizes = bounds::<L::Transposed>();
        for (dim, size) in self.sizes().iter().rev().enumerate() {
            sizes.set(dim, *size);
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
