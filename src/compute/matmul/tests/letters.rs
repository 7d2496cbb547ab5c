//! `einsum!`, as types.

use crate::movement::tests::reference::indices;
use crate::typed::types::Shape3;
use crate::typed::{Layout, Packed};
use crate::{BF16, DotDimensionNumbers, S8, dot_general, einsum, tiled, tpu};
use half::bf16;

fn value(index: &[usize]) -> f32 {
    (index.iter().enumerate().map(|(dim, i)| i * (2 * dim + 1)).sum::<usize>() % 7) as f32 - 3.0
}

/// Small numbers, with NaN in the padding.
fn noisy<L: Layout<Element = BF16>>(sizes: L::Index) -> Packed<L> {
    let mut packed = Packed::<L>::with_sizes(sizes).unwrap();
    packed.as_bytes_mut().fill(0xFF);
    for index in indices(sizes.as_ref()) {
        let mut at = sizes;
        at.as_mut().copy_from_slice(&index);
        packed.set(at, bf16::from_f32(value(&index))).unwrap();
    }
    packed
}

#[test]
fn several_letters_in_any_order() {
    type Columns = tiled!(f32[20,33]{0,1});
    let heads = noisy::<tiled!(bf16[<=20,4,16]{2,1,0:T(8,128)(2,1)})>([17, 4, 16]);
    let weights = noisy::<tpu!(bf16[4,16,33])>([4, 16, 33]);
    let sum = |t: usize, o: usize| {
        indices(&[4, 16])
            .fold(0.0, |sum, i| sum + value(&[t, i[0], i[1]]) * value(&[i[0], i[1], o]))
    };
    type Transposed = tiled!(f32[33,<=20]{1,0:T(8,128)});
    let y: Packed<Transposed> = einsum!("thd,hdo->ot", heads, weights);
    assert_eq!(y.dims(), [33, 17]);
    assert!(y.unpack() == indices(&[33, 17]).map(|i| sum(i[1], i[0])).collect::<Vec<_>>());
    let y: Packed<Columns> = einsum!("thd,hdo->to", &heads, &weights);
    let expected = Packed::<Columns>::from_fn(|[t, o]| if t < 17 { sum(t, o) } else { 0.0 });
    assert!(y == expected);
    let dot: Packed<tiled!(f32[])> = einsum!("hdo,hdo->", weights, weights);
    let squares = indices(&[4, 16, 33]).map(|i| value(&i) * value(&i));
    assert_eq!(dot.get([]), squares.sum::<f32>());
    let outer: Packed<tiled!(f32[3,2])> = {
        let [a, b] = [noisy::<tiled!(bf16[3])>([3]), noisy::<tiled!(bf16[3])>([3])];
        let b = b.slice::<tiled!(bf16[2])>([0]);
        einsum!("i,j->ij", a, b)
    };
    assert_eq!(
        outer.unpack(),
        indices(&[3, 2]).map(|i| value(&i[..1]) * value(&i[1..])).collect::<Vec<_>>()
    );
}

#[test]
fn sizes_of_const_parameters() {
    fn scores<const N: usize, Q, K>(q: &Packed<Q>, k: &Packed<K>) -> Packed<tiled!(s32[2,N,N])>
    where
        Q: Layout<Shape = Shape3<2, N, 5>, Element = S8>,
        K: Layout<Shape = Shape3<2, N, 5>, Element = S8>,
    {
        einsum!("bqd,bkd->bqk", q, k)
    }
    let q = Packed::<tiled!(s8[2,6,5]{2,1,0:T(8,128)(4,1)})>::from_fn(|i| value(&i) as i8);
    let k = Packed::<tiled!(s8[2,6,5])>::from_fn(|i| value(&i) as i8);
    let sum = |i: &[usize]| -> i32 {
        (0..5).map(|d| (value(&[i[0], i[1], d]) * value(&[i[0], i[2], d])) as i32).sum()
    };
    let expected: Vec<_> = indices(&[2, 6, 6]).map(|i| sum(&i)).collect();
    assert_eq!(scores::<6, _, _>(&q, &k).unpack(), expected);
    let numbers = DotDimensionNumbers {
        lhs_batching_dimensions: &[0],
        rhs_batching_dimensions: &[0],
        lhs_contracting_dimensions: &[2],
        rhs_contracting_dimensions: &[2],
    };
    let columns: Packed<tiled!(s32[2,6,6]{1,2,0})> = dot_general(&q, &k, &numbers);
    assert_eq!(columns.unpack(), expected);
}

#[test]
fn one_operand_with_its_dimensions_in_another_order() {
    let a = noisy::<tiled!(bf16[<=20,4,16]{2,0,1:T(8,128)(2,1)})>([9, 4, 16]);
    type Permuted = tiled!(bf16[16,<=20,4]{1,2,0:T(2,4)});
    let b: Packed<Permuted> = einsum!("tdh->htd", a);
    assert_eq!(b.dims(), [16, 9, 4]);
    let expected = |i: Vec<usize>| bf16::from_f32(value(&[i[1], i[2], i[0]]));
    assert_eq!(b.unpack(), indices(&[16, 9, 4]).map(expected).collect::<Vec<_>>());
}

#[test]
#[should_panic(
    expected = "the array has 9 indices in dimension 1, which `bf16[16,20,4]{2,1,0}` cannot have"
)]
fn one_operand_that_is_shorter_than_its_bound() {
    let a = noisy::<tiled!(bf16[<=20,4,16])>([9, 4, 16]);
    let _: Packed<tiled!(bf16[16,20,4])> = einsum!("tdh->htd", a);
}
