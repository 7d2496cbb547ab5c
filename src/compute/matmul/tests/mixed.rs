//! Products of two element types, rounded to a third.

use super::super::micro_kernel::MicroKernel;
use super::super::types::MatmulElement;
use super::{LAYOUTS, eager, product, spec, twin};
use crate::element::*;
use crate::movement::DynLayout;
use crate::movement::tests::reference::{Random, fill_padding};
use core::any::type_name;
use half::{bf16, f16};
use microfloat::*;

/// An element type with the operations that the tests need.
pub(super) trait Value: Element {
    /// The nearest element, rounded once; integers saturate.
    fn of(x: f64) -> Self::Host;
    fn exact(host: Self::Host) -> f64;
}

macro_rules! values {
    ($($Marker:ident $x:ident => $of:expr, $host:ident => $exact:expr;)*) => { $(
        impl Value for $Marker {
            fn of($x: f64) -> Self::Host {
                $of
            }
            fn exact($host: Self::Host) -> f64 {
                $exact
            }
        }
    )* };
}

// The numbers of the tests are `f32`s, so a conversion through `f32` rounds only once.
values! {
    F64 x => x, h => h;
    F32 x => x as f32, h => h.into();
    BF16 x => bf16::from_f64(x), h => h.into();
    F16 x => f16::from_f64(x), h => h.into();
    S32 x => x as i32, h => h.into();
    S8 x => x as i8, h => h.into();
    U8 x => x as u8, h => h.into();
    S4 x => (x as i8).clamp(-8, 7), h => h.into();
    U4 x => (x as u8).min(15), h => h.into();
    F8E5M2 x => f8e5m2::from_f32(x as f32), h => h.to_f32().into();
    F8E4M3 x => f8e4m3::from_f32(x as f32), h => h.to_f32().into();
    F8E4M3B11FNUZ x => f8e4m3b11fnuz::from_f32(x as f32), h => h.to_f32().into();
    F8E4M3FN x => f8e4m3fn::from_f32(x as f32), h => h.to_f32().into();
    F8E4M3FNUZ x => f8e4m3fnuz::from_f32(x as f32), h => h.to_f32().into();
    F8E3M4 x => f8e3m4::from_f32(x as f32), h => h.to_f32().into();
}

/// Numbers that all types of that signedness have.
pub(super) fn numbers(random: &mut Random, count: usize, signed: bool) -> Vec<f64> {
    let number = |n: usize| n as f64 - if signed { 7.0 } else { 0.0 };
    (0..count).map(|_| number(random.below(if signed { 15 } else { 8 }))).collect()
}

/// Numbers of rows for which there are kernels.
const FEW: [usize; 6] = [1, 1, 1, 2, 4, 7];

/// Layouts with elements of 4 bits.
const NIBBLES: [&str; 4] = [
    "{1,0:T(64,128)(8,1)E(4)}",
    "{1,0:T(8,128)(8,1)E(4)}",
    "{1,0:T(16,64)(8,1)E(4)}",
    "{1,0:E(4)}",
];

/// Random products of two types, rounded to a third type, with every kernel, in any layouts.
fn check<A: Value + MatmulElement<B>, B: Value, C: Value>(random: &mut Random) {
    let mut kernels = Vec::new();
    MicroKernel::each([A::DTYPE, B::DTYPE], |kernel| kernels.extend(eager(kernel)));
    kernels.extend(twin::kernel([A::DTYPE, B::DTYPE]));
    // The kernel of this CPU, which for few rows is one that widens elements of `B` in registers.
    let chosen = MicroKernel::choose([A::DTYPE, B::DTYPE]);
    kernels.extend([chosen; 4]);
    for kernel in kernels {
        for round in 0..4 + FEW.len() {
            let mut size = || random.below(50);
            let [m, k, n] = match (round, FEW.get(round.wrapping_sub(4))) {
                (_, Some(few)) => [*few, size(), 5 * size()],
                (0, _) => [70, 9, 40],
                _ => [size(), size(), size()],
            };
            let mut layouts: [&str; 3] =
                core::array::from_fn(|_| LAYOUTS[random.below(LAYOUTS.len())]);
            if B::DTYPE.bits() == 4 && round % 2 == 0 {
                layouts[1] = NIBBLES[random.below(NIBBLES.len())];
            }
            check_product::<A, B, C>(random, kernel, [m, k, n], layouts);
        }
    }
}

/// A random product with one kernel.
fn check_product<A: Value + MatmulElement<B>, B: Value, C: Value>(
    random: &mut Random,
    kernel: MicroKernel,
    [m, k, n]: [usize; 3],
    layouts: [&str; 3],
) {
    let unsigned = |dtype| matches!(dtype, DType::U8 | DType::U4);
    let a = numbers(random, m * k, !unsigned(A::DTYPE));
    let b = numbers(random, k * n, !unsigned(B::DTYPE));
    let a_spec = spec(A::DTYPE, m, k, layouts[0]);
    let b_spec = spec(B::DTYPE, k, n, layouts[1]);
    let c_spec = spec(C::DTYPE, m, n, layouts[2]);
    let host: Vec<_> = a.iter().map(|x| A::of(*x)).collect();
    let mut a_packed = a_spec.pack::<A>(&host).unwrap();
    let host: Vec<_> = b.iter().map(|x| B::of(*x)).collect();
    let mut b_packed = b_spec.pack::<B>(&host).unwrap();
    fill_padding(&a_spec, &mut a_packed);
    fill_padding(&b_spec, &mut b_packed);
    let mut c_packed = vec![0xA5; c_spec.storage_bytes()];
    product::<<A as MatmulElement<B>>::Sum>(
        kernel,
        (&a_spec, &a_packed),
        (&b_spec, &b_packed),
        (&c_spec, &mut c_packed),
    );
    let c = c_spec.unpack::<C>(&c_packed).unwrap();
    let text = format!("{a_spec} * {b_spec} = {c_spec} with {kernel:?}");
    assert_eq!(c_packed, c_spec.pack::<C>(&c).unwrap(), "padding of {text}");
    for (at, &actual) in c.iter().enumerate() {
        let (i, j) = (at / n, at % n);
        let sum: f64 = (0..k).map(|x| a[i * k + x] * b[x * n + j]).sum();
        let (actual, expected) = (C::exact(actual), C::exact(C::of(sum)));
        let both_nan = actual.is_nan() && expected.is_nan();
        assert!(
            actual == expected || both_nan,
            "[{i},{j}] of {text}: {actual}, but {sum} is {expected} as {}",
            type_name::<C>()
        );
    }
}

use layout_core::dtype::DType;

macro_rules! check_all {
    ($name:ident: $($A:ident * $B:ident = $($C:ident)*;)*) => {
        #[test]
        fn $name() {
            let mut random = Random(11);
            $($(check::<$A, $B, $C>(&mut random);)*)*
        }
    };
}

check_all! { results_of_one_type:
    BF16 * BF16 = BF16 F16 F8E4M3FN S8;
    F64 * F64 = F64 F32 BF16 F16 S32 S8;
    F32 * F32 = F64 BF16 F16 F8E5M2 U8 S32;
    S8 * S8 = S8 S4 F32 BF16 F8E3M4;
}

check_all! { types_that_are_widened:
    F16 * F16 = F32 F16;
    F8E4M3FN * F8E4M3FN = F32 F8E4M3FN;
    F8E5M2 * F8E4M3FNUZ = BF16;
    S4 * S4 = S32 S8;
    U8 * U8 = S32 U8;
    U4 * U4 = S32 U4;
}

check_all! { mixed_types:
    BF16 * S8 = BF16 F32;
    BF16 * S4 = BF16;
    U8 * S8 = S32 F32;
    S8 * U8 = S32;
    S4 * S8 = S32;
    S8 * U4 = S32;
    F32 * BF16 = F32;
    BF16 * F32 = BF16;
    F32 * S8 = F32;
    U8 * BF16 = F32;
    F8E3M4 * BF16 = BF16;
    F16 * BF16 = F16;
    F32 * F16 = F32;
    F16 * S8 = F32;
    F16 * S4 = F32;
    F32 * S4 = F32;
    F32 * U4 = BF16;
    F32 * U8 = F32;
    BF16 * U4 = F32;
    BF16 * U8 = F32;
    BF16 * F8E4M3FN = F32;
    F32 * F8E5M2 = F32;
    S8 * S4 = S32;
    U4 * S4 = S32;
    U8 * S4 = S32;
    U8 * U4 = S32;
    S4 * U8 = S32;
    S8 * BF16 = F32;
}

/// One row by rows of elements of 4 bits, which are zipped in registers: whole and partial blocks of rows and of columns.
#[test]
fn rows_of_nibbles() {
    fn check_each<A, S4: Value, U4: Value, C: Value>()
    where
        A: Value + MatmulElement<S4> + MatmulElement<U4>,
    {
        let mut random = Random(4);
        for k in [1, 7, 8, 9, 16, 37] {
            for n in [1, 2, 62, 127, 128, 130, 256, 386] {
                let layouts = ["{1,0}", "{1,0:E(4)}", "{1,0:T(8,128)}"];
                let signed = MicroKernel::choose([A::DTYPE, S4::DTYPE]);
                check_product::<A, S4, C>(&mut random, signed, [1, k, n], layouts);
                let unsigned = MicroKernel::choose([A::DTYPE, U4::DTYPE]);
                check_product::<A, U4, C>(&mut random, unsigned, [1, k, n], layouts);
            }
        }
    }
    check_each::<BF16, S4, U4, F32>();
    check_each::<F32, S4, U4, F32>();
    check_each::<F16, S4, U4, F32>();
    check_each::<S8, S4, U4, S32>();
    check_each::<U8, S4, U4, S32>();
    check_each::<U4, S4, U4, S32>();
}

/// Each element of the narrow types, through panels.
#[test]
fn every_element_of_eight_bits_keeps_its_value() {
    fn check_each<E: Value + MatmulElement<F32> + MatmulElement<BF16>>() {
        let c = spec(DType::F32, 256, 1, "{1,0}");
        let a = spec(E::DTYPE, 256, 1, "{1,0}");
        let bytes: Vec<u8> = (0..=255).collect();
        let hosts = a.unpack::<E>(&bytes).unwrap();
        for one in [DType::F32, DType::BF16] {
            let b = spec(one, 1, 1, "{1,0}");
            let one_bytes = if one == DType::F32 {
                b.pack::<F32>(&[1.0])
            } else {
                b.pack::<BF16>(&[bf16::ONE])
            };
            let mut sums = vec![0; 1024];
            let kernel = MicroKernel::choose([E::DTYPE, one]);
            product::<F32>(kernel, (&a, &bytes), (&b, &one_bytes.unwrap()), (&c, &mut sums));
            for (sum, host) in sums.as_chunks().0.iter().zip(&hosts) {
                let (sum, exact) = (f64::from(f32::from_le_bytes(*sum)), E::exact(*host));
                assert!(sum == exact || sum.is_nan() && exact.is_nan(), "{exact} is {sum}");
            }
        }
    }
    check_each::<S8>();
    check_each::<U8>();
    check_each::<S4>();
    check_each::<U4>();
    check_each::<F8E5M2>();
    check_each::<F8E4M3FN>();
    check_each::<F8E4M3FNUZ>();
    check_each::<F8E3M4>();
}

/// Each element of the narrow types in `B`, for all numbers of rows for which there are kernels.
#[test]
fn every_element_of_b_keeps_its_value() {
    fn check_each<E: Value, One: Value + MatmulElement<E, Sum = F32>>() {
        let bytes: Vec<u8> = (0..=255).collect();
        let rows = spec(E::DTYPE, 1, 256, "{1,0}");
        let hosts = rows.unpack::<E>(&bytes).unwrap();
        let tiles = spec(E::DTYPE, 1, 256, "{1,0:T(8,128)(4,1)}");
        let tile_bytes = tiles.pack::<E>(&hosts).unwrap();
        let kernel = MicroKernel::choose([One::DTYPE, E::DTYPE]);
        for m in [1, 2, 3, 8, 20] {
            let a = spec(One::DTYPE, m, 1, "{1,0}");
            let ones = a.pack::<One>(&vec![One::of(1.0); m]).unwrap();
            let c = spec(DType::F32, m, 256, "{1,0}");
            for b in [(&rows, &bytes[..]), (&tiles, &tile_bytes[..])] {
                let mut sums = vec![0; m * 1024];
                product::<F32>(kernel, (&a, &ones), b, (&c, &mut sums));
                for (sum, host) in sums.as_chunks().0.iter().zip(hosts.iter().cycle()) {
                    let (sum, exact) = (f64::from(f32::from_le_bytes(*sum)), E::exact(*host));
                    let same = sum == exact || sum.is_nan() && exact.is_nan();
                    assert!(same, "{exact} is {sum} in {m} rows of {}", type_name::<(One, E)>());
                }
            }
        }
    }
    macro_rules! check_all {
        ($($E:ident)*) => { $(
            check_each::<$E, F32>();
            check_each::<$E, BF16>();
            check_rows::<$E>();
        )* };
    }
    /// Each row of `A` takes one row of `B` out of seven, which are four and a part of four.
    fn check_rows<E: Value>()
    where
        BF16: MatmulElement<E, Sum = F32>,
    {
        let (k, n) = (7, 256);
        let bytes = |row: usize| (0..=255_u8).map(move |byte| byte.wrapping_add(37 * row as u8));
        let rows = spec(E::DTYPE, k, n, "{1,0}");
        let stored: Vec<u8> = (0..k).flat_map(bytes).collect();
        let finite = |host: &<E as Element>::Host| E::exact(*host).is_finite();
        let zero = E::of(0.0);
        let hosts = rows.unpack::<E>(&stored).unwrap();
        let hosts: Vec<_> =
            hosts.into_iter().map(|host| if finite(&host) { host } else { zero }).collect();
        let one_at = |at: usize| BF16::of(if at % k == at / k % k { 1.0 } else { 0.0 });
        for m in [9, 20, 70] {
            let a_spec = spec(DType::BF16, m, k, "{1,0}");
            let a = a_spec.pack::<BF16>(&(0..m * k).map(one_at).collect::<Vec<_>>()).unwrap();
            for layout in ["{1,0}", "{1,0:T(8,128)(4,1)}", "{1,0:T(8,128)(2,1)}"] {
                let b_spec = spec(E::DTYPE, k, n, layout);
                let b = b_spec.pack::<E>(&hosts).unwrap();
                let (c_spec, mut c) = (spec(DType::F32, m, n, "{1,0}"), vec![0; 4 * m * n]);
                let kernel = MicroKernel::choose([DType::BF16, E::DTYPE]);
                product::<F32>(kernel, (&a_spec, &a), (&b_spec, &b), (&c_spec, &mut c));
                for (at, sum) in c.as_chunks().0.iter().enumerate() {
                    let exact = E::exact(hosts[at / n % k * n + at % n]);
                    assert_eq!(f64::from(f32::from_le_bytes(*sum)), exact, "{at} of {b_spec}");
                }
            }
        }
    }
    check_all! { S8 U8 S4 U4 F8E5M2 F8E4M3 F8E4M3FN F8E4M3B11FNUZ F8E4M3FNUZ F8E3M4 }
}
