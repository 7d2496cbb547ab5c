//! Products of arrays with bounded dimensions use the current lengths.

use crate::compute::{MatmulElement, Product, RoundedFrom, matmul, matmul_into};
use crate::movement::tests::reference::Random;
use crate::typed::types::Shape2;
use crate::typed::{Host, Layout, Packed};
use crate::{tiled, tpu};
use half::bf16;

/// An array of these sizes. Everything past them in its storage has the largest bytes, which are NaN in floats.
fn bounded<L: Layout<Index = [usize; 2]>>(
    sizes: [usize; 2],
    values: &[i8],
    of: fn(i8) -> Host<L>,
) -> Packed<L> {
    let mut packed = Packed::<L>::zeroed().unwrap();
    packed.as_bytes_mut().fill(0xFF);
    for (dim, size) in sizes.into_iter().enumerate() {
        packed.set_len(dim, size).unwrap();
    }
    for (at, value) in values.iter().enumerate() {
        packed.set([at / sizes[1], at % sizes[1]], of(*value)).unwrap();
    }
    packed
}

const M: usize = 150;
const K: usize = 60;
const N: usize = 140;

/// Products in arrays with bounds, and in arrays without, in which zeros follow.
fn check<A, B, C, D, E>(of: fn(i8) -> Host<A>, to: fn(i32) -> Host<C>)
where
    A: Layout<Shape = Shape2<M, K>, Index = [usize; 2], Element = E>,
    B: Layout<Shape = Shape2<K, N>, Index = [usize; 2], Element = E>,
    C: Layout<Shape = Shape2<M, N>, Index = [usize; 2], Element: RoundedFrom<E::Sum>>,
    D: Layout<Shape = Shape2<M, N>, Index = [usize; 2], Element = C::Element>,
    E: MatmulElement,
{
    let mut random = Random(16);
    let sizes = [[150, 60, 140], [0, 5, 7], [3, 0, 7], [1, 33, 140], [97, 31, 65], [150, 59, 0]];
    for [m, k, n] in sizes {
        let mut numbers =
            |count: usize| -> Vec<i8> { (0..count).map(|_| random.below(5) as i8 - 2).collect() };
        let (a, b) = (numbers(m * k), numbers(k * n));
        let a_packed = bounded::<A>([m, k], &a, of);
        let b_packed = bounded::<B>([k, n], &b, of);
        let sum = |i: usize, j: usize| -> i32 {
            (0..k).map(|x| i32::from(a[i * k + x]) * i32::from(b[x * n + j])).sum()
        };
        let c: Packed<C> = matmul(&a_packed, &b_packed);
        assert_eq!(c.dims(), [m, n]);
        let expected: Vec<_> = (0..m * n).map(|at| to(sum(at / n, at % n))).collect();
        assert_eq!(c.unpack(), expected, "{m} x {k} x {n}");
        assert_eq!(Product::of(&a_packed, &b_packed).packed::<C>(), c);
        let mut used = bounded::<C>([m, n], &[], |_| unreachable!());
        matmul_into(&a_packed, &b_packed, &mut used);
        assert_eq!(used, c);
        let mut d = Packed::<D>::zeroed().unwrap();
        d.as_bytes_mut().fill(0xFF);
        matmul_into(&a_packed, &b_packed, &mut d);
        let expected =
            Packed::<D>::from_fn(|[i, j]| to(if i < m && j < n { sum(i, j) } else { 0 }));
        assert!(d.as_bytes() == expected.as_bytes(), "{m} x {k} x {n}");
    }
}

#[test]
fn bounded_products_of_f32() {
    type A = tiled!(f32[<=150,<=60]{1,0:T(8,128)});
    type B = tiled!(f32[<=60,<=140]{1,0:T(8,128)});
    type C = tiled!(f32[<=150,<=140]{1,0:T(8,128)});
    check::<A, B, C, tpu!(f32[150,140]), _>(f32::from, |x| x as f32);
    type Columns = tiled!(f32[<=60,<=140]{0,1:T(8,128)});
    type Rows = tiled!(f32[<=150,<=140]);
    check::<A, Columns, Rows, tiled!(f32[150,140]{0,1}), _>(f32::from, |x| x as f32);
}

#[test]
fn bounded_products_of_f64() {
    type A = tiled!(f64[<=150,<=60]{1,0:T(8,128)});
    type B = tiled!(f64[<=60,<=140]{0,1});
    type C = tiled!(f64[<=150,<=140]{1,0:T(8,128)});
    check::<A, B, C, tiled!(f64[150,140]), _>(f64::from, f64::from);
}

#[test]
fn bounded_products_of_bf16() {
    type A = tiled!(bf16[<=150,<=60]{1,0:T(8,128)(2,1)});
    type B = tiled!(bf16[<=60,<=140]{1,0:T(8,128)(2,1)});
    type C = tiled!(bf16[<=150,<=140]{1,0:T(8,128)(2,1)});
    let of = |x: i8| bf16::from_f32(x.into());
    check::<A, B, C, tpu!(bf16[150,140]), _>(of, |x| bf16::from_f32(x as f32));
}

#[test]
fn bounded_products_of_s8() {
    type A = tiled!(s8[<=150,<=60]);
    type B = tiled!(s8[<=60,<=140]{1,0:T(8,128)(4,1)});
    type C = tiled!(s32[<=150,<=140]{1,0:T(8,128)});
    check::<A, B, C, tpu!(s32[150,140]), _>(|x| x, |x| x);
}

#[test]
#[should_panic(expected = "the arrays differ in size: [2] and [3]")]
fn inner_dimensions_that_differ_in_size() {
    let a = Packed::<tiled!(f32[4,<=8])>::with_sizes([4, 2]).unwrap();
    let b = Packed::<tiled!(f32[<=8,4])>::with_sizes([3, 4]).unwrap();
    let _: Packed<tiled!(f32[4,4])> = matmul(&a, &b);
}

#[test]
fn what_a_shorter_inner_dimension_lacks_is_zero() {
    let a = Packed::<tiled!(f32[4,8])>::filled(1.0);
    let mut b = Packed::<tiled!(f32[<=8,4])>::filled(1.0);
    b.set_len(0, 3).unwrap();
    let c: Packed<tiled!(f32[4,4])> = matmul(&a, &b);
    assert_eq!(c.unpack(), [3.0; 16]);
}

#[test]
fn a_batch_dimension_of_bound_1_can_be_empty() {
    let mut a = Packed::<tiled!(f32[<=1,2,3])>::filled(1.0);
    a.set_len(0, 0).unwrap();
    let b = Packed::<tiled!(f32[4,3,2])>::filled(1.0);
    let c: Packed<tiled!(f32[<=4,2,2])> = matmul(&a, &b);
    assert_eq!(c.dims(), [0, 2, 2]);
    let c: Packed<tiled!(f32[4,2,2])> = matmul(&a, &b);
    assert_eq!(c.unpack(), [0.0; 16]);
}
