//! NaN, infinities, denormals and zeros with a sign, in every kernel for floats that this CPU can run. Each sum has one product of
//! two such numbers, and other products are of zeros, so that the result does not depend on the order of summation.

use super::super::entry;
use super::super::micro_kernel::{MicroKernel, Prepare};
use super::super::types::MatmulElement;
use super::mixed::Value;
use super::{eager, product, spec};
use crate::element::*;
use crate::movement::DynLayout;
use layout_core::dtype::DType;
use std::collections::BTreeSet;

/// The numbers, which each type rounds: among them are the smallest denormals of `f16`, `bf16` and `f32`, and numbers whose products are
/// denormals.
const SPECIAL: [f64; 17] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    -0.0,
    0.0,
    1.0,
    -1.5,
    3e38,
    -1e-39,
    1e-45,
    9.2e-41,
    6e-8,
    -1.6e-5,
    1e-20,
    -2e-25,
    448.0,
    5e-324,
];

/// Numbers of rows for which there are kernels; the last ones have panels of `B`.
const ROWS: [usize; 8] = [1, 2, 3, 5, 8, 17, 65, 70];

/// Layouts of `B`: rows, columns, and the tiles whose words the kernels read in place.
const LAYOUTS: [&str; 5] =
    ["{1,0}", "{0,1}", "{1,0:T(8,128)}", "{1,0:T(8,128)(2,1)}", "{1,0:T(8,128)(4,1)}"];

/// A denormal of `f32` as the instructions for pairs of `bf16` see it.
fn flushed(x: f64) -> f64 {
    if x.abs() < f64::from(f32::MIN_POSITIVE) { x * 0.0 } else { x }
}

/// Whether two sums are the same number. The sign of a zero depends on the zeros that are added to it.
fn same(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

/// Checks all pairs of numbers, and adds the kernels that ran to a list.
fn check<A: Value + MatmulElement<B>, B: Value>(ran: &mut BTreeSet<String>)
where
    A::Sum: Value,
{
    let mut kernels = vec![MicroKernel::choose([A::DTYPE, B::DTYPE])];
    MicroKernel::each([A::DTYPE, B::DTYPE], |kernel| kernels.extend(eager(kernel)));
    for kernel in kernels {
        for (row, m) in ROWS.into_iter().enumerate() {
            for (number, layout) in LAYOUTS.into_iter().enumerate() {
                // Each layout with each position, in turn.
                let (k, position) = [(9, 0), (9, 8), (16, 5)][(row + number) % 3];
                check_product::<A, B>(kernel, [m, k, 180], position, layout);
                let used = entry::kernel_for(kernel, m, &spec(B::DTYPE, 16, 180, layout), false);
                let MicroKernel { elements, rows, columns, prepare, spread, .. } = used;
                let in_place = used.in_place.is_some() && m > used.direct;
                ran.insert(format!(
                    "{} x {}: panels {elements:?}, blocks {rows} x {columns}, {prepare:?}, parts {spread}, A in place {in_place}",
                    A::DTYPE,
                    B::DTYPE
                ));
            }
        }
    }
}

/// A product in which number `position` of each row of `A` and of each column of `B` is special.
fn check_product<A: Value + MatmulElement<B>, B: Value>(
    kernel: MicroKernel,
    [m, k, n]: [usize; 3],
    position: usize,
    layout: &str,
) where
    A::Sum: Value,
{
    let number = |at: usize| SPECIAL[at % SPECIAL.len()];
    let a_at = |at: usize| A::of(if at % k == position { number(at / k) } else { 0.0 });
    let b_at = |at: usize| B::of(if at / n == position { number(at % n) } else { 0.0 });
    let a_spec = spec(A::DTYPE, m, k, "{1,0}");
    let b_spec = spec(B::DTYPE, k, n, layout);
    let c_spec = spec(<A::Sum as Element>::DTYPE, m, n, "{1,0}");
    let a = a_spec.pack::<A>(&(0..m * k).map(a_at).collect::<Vec<_>>()).unwrap();
    let b = b_spec.pack::<B>(&(0..k * n).map(b_at).collect::<Vec<_>>()).unwrap();
    let mut c = vec![0xA5; c_spec.storage_bytes()];
    product::<A::Sum>(kernel, (&a_spec, &a), (&b_spec, &b), (&c_spec, &mut c));
    let used = entry::kernel_for(kernel, m, &b_spec, false);
    let flushes = used.elements[0] == DType::BF16 && used.prepare != Prepare::Widen;
    for (at, actual) in c_spec.unpack::<A::Sum>(&c).unwrap().into_iter().enumerate() {
        let (x, y) = (A::exact(a_at(at / n * k + position)), B::exact(b_at(position * n + at % n)));
        let rounded = |x: f64| <A::Sum as Value>::exact(<A::Sum as Value>::of(x));
        let (actual, expected) = (<A::Sum as Value>::exact(actual), rounded(x * y));
        let flushed = flushed(rounded(flushed(x) * flushed(y)));
        assert!(
            same(actual, expected) || flushes && same(actual, flushed),
            "{x} * {y} is {actual} instead of {expected} in {m} rows by {b_spec} with {used:?}"
        );
    }
}

#[test]
fn special_values_in_every_kernel() {
    let mut ran = BTreeSet::new();
    macro_rules! check_all {
        ($($A:ident * $B:ident;)*) => { $(check::<$A, $B>(&mut ran);)* };
    }
    check_all! {
        F32 * F32;
        F64 * F64;
        BF16 * BF16;
        F16 * F16;
        F32 * BF16;
        BF16 * F32;
        F32 * F16;
        F16 * BF16;
        BF16 * F16;
        BF16 * F8E5M2;
        BF16 * F8E4M3FN;
        BF16 * F8E4M3FNUZ;
        BF16 * F8E3M4;
        F32 * F8E5M2;
        F32 * F8E4M3FN;
        F32 * F8E4M3FNUZ;
        F16 * F8E5M2;
        F8E5M2 * BF16;
        F8E4M3FN * F8E5M2;
    }
    for kernel in ran {
        println!("ran {kernel}");
    }
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    {
        use crate::cpu::detect::{HasAmxBf16, HasAvx512, HasAvx512Bf16, HasAvx512F, HasFma};
        macro_rules! log {
            ($($Has:ident)*) => { $(
                if $Has::detect().is_none() {
                    println!("not run, since the CPU lacks them or the environment forbids them: kernels that need {}", stringify!($Has));
                }
            )* };
        }
        log! { HasFma HasAvx512F HasAvx512 HasAvx512Bf16 HasAmxBf16 }
    }
}
