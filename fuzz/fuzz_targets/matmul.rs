//! Products of matrices in any layouts, and their reductions, equal those of plain loops over the same numbers.
#![no_main]

#[allow(dead_code, reason = "other targets use more of it")]
#[path = "../../tests/tiled/properties/document.rs"]
mod document;
#[allow(dead_code, reason = "other targets use more of it")]
mod host;

use host::{Number, groups};
use libfuzzer_sys::fuzz_target;
use tensor_layout::compute::Summand;
use tensor_layout::types::Shape2;
use tensor_layout::{Host, Layout, MatmulElement, Packed, half, matmul, matmul_into, tiled};

/// Numbers whose products and sums are exact in every type of sums.
trait Exact: Number {
    fn exact(byte: u8) -> Self;
}
impl Exact for i8 {
    fn exact(byte: u8) -> Self {
        byte as i8
    }
}
impl Exact for f32 {
    fn exact(byte: u8) -> Self {
        f32::from(byte as i8) / 16.0
    }
}
impl Exact for half::bf16 {
    fn exact(byte: u8) -> Self {
        Self::from_f32(f32::exact(byte))
    }
}

/// A matrix surrounded by bytes that must not be read.
fn matrix<L>(values: &mut impl Iterator<Item = u8>, noise: u8) -> Packed<L>
where
    L: Layout<Index = [usize; 2]>,
    Host<L>: Exact,
{
    let [rows, columns] = L::DIMS;
    let zeros = vec![Host::<L>::exact(0); rows * columns];
    let mut packed = L::pack(&zeros).expect("as many values");
    packed.as_mut().as_bytes_mut().fill(noise);
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let value = Host::<L>::exact(values.next().unwrap_or(0));
        packed.set([row, column], value).expect("a value of the type");
    }
    packed
}

fn check<A, B, C, E, const M: usize, const K: usize, const N: usize>(bytes: &[u8])
where
    A: Layout<Shape = Shape2<M, K>, Element = E, Index = [usize; 2]>,
    B: Layout<Shape = Shape2<K, N>, Element = E, Index = [usize; 2]>,
    C: Layout<Shape = Shape2<M, N>, Element = E::Sum, Index = [usize; 2]>,
    E: MatmulElement<Host: Exact + Summand<Sum: Number>, Sum: tensor_layout::Element<Host: Number>>,
{
    let Some((noise, bytes)) = bytes.split_first() else { return };
    // The bytes repeated, changed each time.
    let mut values = (0..=u8::MAX)
        .cycle()
        .flat_map(|round| bytes.iter().chain([&1]).map(move |byte| byte.wrapping_mul(round | 1)));
    let (a, b) = (matrix::<A>(&mut values, *noise), matrix::<B>(&mut values, !noise));
    let product: Packed<C> = matmul(&a, &b);
    let mut written = product.clone();
    written.as_mut().as_bytes_mut().fill(*noise);
    matmul_into(&a, &b, &mut written);
    assert!(written.as_bytes() == product.as_bytes(), "{} of {}", C::SPEC, A::SPEC);
    let (left, right) = (a.unpack(), b.unpack());
    for m in 0..M {
        for n in 0..N {
            let products = (0..K).map(|k| left[m * K + k].number() * right[k * N + n].number());
            let (sum, found) = (products.sum::<f64>(), product.get([m, n]).number());
            assert_eq!(found, sum, "{} by {} to {} at {m}, {n}", A::SPEC, B::SPEC, C::SPEC);
        }
    }
    for passed in 0..4 {
        let sums = a.sum(&host::dims(passed, 2));
        for (sum, group) in sums.iter().zip(groups::<A>(passed, &left)) {
            let expected: f64 = group.into_iter().map(Number::number).sum();
            assert_eq!(sum.number(), expected, "{} over {passed:b}", A::SPEC);
        }
    }
}

macro_rules! products {
    ($($M:literal $K:literal $N:literal: [$a:ident $($A:tt)*] [$b:ident $($B:tt)*] [$c:ident $($C:tt)*];)*) => {
        const CHECKS: &[fn(&[u8])] = &[$(
            check::<tiled!($a[$M,$K] $($A)*), tiled!($b[$K,$N] $($B)*), tiled!($c[$M,$N] $($C)*), _, $M, $K, $N>
        ),*];
    };
}
products! {
    1 1 1: [f32 {1,0:T(8,128)}] [f32 {1,0:T(8,128)}] [f32];
    1 40 33: [f32 {1,0:T(8,32)}] [f32 {0,1}] [f32 {1,0:T(8,128)}];
    3 5 7: [f32 {0,1}] [f32 {0,1:T(8,128)}] [f32 {0,1:T(4,32)}];
    8 128 128: [f32 {1,0:T(3,5)}] [f32 {1,0:T(8,128)}] [f32];
    17 33 65: [f32 {0,1:T(8,128)}] [f32 {0,1}] [f32 {1,0:T(8,128)}];
    20 64 40: [f32] [f32 {0,1:T(8,128)}] [f32 {0,1:T(4,32)}];
    9 300 31: [f32 {1,0:T(8,128)}] [f32 {1,0:T(8,128)}] [f32];
    2 7 130: [f32 {1,0:T(8,32)}] [f32 {0,1}] [f32 {1,0:T(8,128)}];
    33 1 5: [f32 {0,1}] [f32 {0,1:T(8,128)}] [f32 {0,1:T(4,32)}];
    0 3 4: [f32 {1,0:T(3,5)}] [f32 {1,0:T(8,128)}] [f32];
    4 0 6: [f32 {0,1:T(8,128)}] [f32 {0,1}] [f32 {1,0:T(8,128)}];
    1 1 1: [bf16 {1,0:T(8,128)(2,1)}] [bf16 {1,0:T(8,128)(2,1)}] [f32];
    1 40 33: [bf16 {1,0:T(16,64)(2,1)}] [bf16 {0,1:T(8,128)(2,1)}] [f32 {1,0:T(8,128)}];
    3 5 7: [bf16 {0,1:T(8,128)(2,1)}] [bf16] [f32 {0,1:T(4,32)}];
    8 128 128: [bf16 {1,0:T(8,128)}] [bf16 {1,0:T(16,64)(2,1)}] [f32];
    17 33 65: [bf16] [bf16 {1,0:T(8,128)}] [f32 {1,0:T(8,128)}];
    20 64 40: [bf16 {1,0:T(8,128)(2,1)}] [bf16 {1,0:T(8,128)(2,1)}] [f32 {0,1:T(4,32)}];
    9 300 31: [bf16 {1,0:T(16,64)(2,1)}] [bf16 {0,1:T(8,128)(2,1)}] [f32];
    2 7 130: [bf16 {0,1:T(8,128)(2,1)}] [bf16] [f32 {1,0:T(8,128)}];
    33 1 5: [bf16 {1,0:T(8,128)}] [bf16 {1,0:T(16,64)(2,1)}] [f32 {0,1:T(4,32)}];
    0 3 4: [bf16] [bf16 {1,0:T(8,128)}] [f32];
    4 0 6: [bf16 {1,0:T(8,128)(2,1)}] [bf16 {1,0:T(8,128)(2,1)}] [f32 {1,0:T(8,128)}];
    1 1 1: [s8 {1,0:T(8,128)(4,1)}] [s8 {1,0:T(8,128)(4,1)}] [s32];
    1 40 33: [s8 {1,0:T(32,128)(4,1)}] [s8 {0,1}] [s32 {1,0:T(8,128)}];
    3 5 7: [s8 {0,1}] [s8] [s32 {0,1:T(4,32)}];
    8 128 128: [s8 {1,0:T(8,32)(4,1)}] [s8 {1,0:T(32,128)(4,1)}] [s32];
    17 33 65: [s8] [s8 {1,0:T(8,32)(4,1)}] [s32 {1,0:T(8,128)}];
    20 64 40: [s8 {1,0:T(8,128)(4,1)}] [s8 {1,0:T(8,128)(4,1)}] [s32 {0,1:T(4,32)}];
    9 300 31: [s8 {1,0:T(32,128)(4,1)}] [s8 {0,1}] [s32];
    2 7 130: [s8 {0,1}] [s8] [s32 {1,0:T(8,128)}];
    33 1 5: [s8 {1,0:T(8,32)(4,1)}] [s8 {1,0:T(32,128)(4,1)}] [s32 {0,1:T(4,32)}];
    0 3 4: [s8] [s8 {1,0:T(8,32)(4,1)}] [s32];
    4 0 6: [s8 {1,0:T(8,128)(4,1)}] [s8 {1,0:T(8,128)(4,1)}] [s32 {1,0:T(8,128)}];
}

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    CHECKS[usize::from(*choice) % CHECKS.len()](bytes);
});
