//! Small products, which nothing is copied for.

use super::super::small::Small;
use super::spec;
use crate::element::{BF16, Element, F32, F64, S8, S32};
use crate::movement::DynLayout;
use crate::movement::tests::reference::{Random, fill_padding};
use layout_core::dtype::DType;

/// Layouts whose rows are in one tile, up to 128 columns.
const LAYOUTS: [&str; 5] =
    ["{1,0}", "{1,0:T(8,128)}", "{1,0:T(4,200)}", "{1,0:T(8,128)L(64)}", "{1,0:T(16,256)}"];
/// The same of words of two rows, and of four.
const PAIRS: [&str; 4] = ["{1,0}", "{1,0:T(8,128)(2,1)}", "{1,0:T(16,100)(2,1)}", "{1,0:T(8,65)}"];
const FOURS: [&str; 4] = ["{1,0}", "{1,0:T(8,128)(4,1)}", "{1,0:T(32,100)(4,1)}", "{1,0:T(8,65)}"];

#[test]
fn small_products_by_every_function() {
    let (float, double) = (|x: i32| x as f32 / 4.0, |x: i32| f64::from(x) / 4.0);
    // Multiples of 1/16 up to 512: each sum is exact.
    products::<F32, F32>(128, &LAYOUTS, float, |x| x as f32 / 16.0);
    products::<F64, F64>(128, &LAYOUTS, double, |x| f64::from(x) / 16.0);
    products::<BF16, F32>(64, &PAIRS, |x| half::bf16::from_f32(float(x)), |x| x as f32 / 16.0);
    products::<S8, S32>(64, &FOURS, |x| (16 * x - i32::from(x == 8)) as i8, |x| x);
}

/// Products of elements that are made of -8 to 8, and sums that are made of sums of products.
fn products<E: Element, S: Element>(
    most: usize,
    layouts: &[&str],
    element: impl Fn(i32) -> E::Host,
    finish: impl Fn(i32) -> S::Host,
) {
    let mut random = Random(14);
    let mut count = 0;
    for round in 0..120 {
        let [m, k, n]: [usize; 3] = core::array::from_fn(|_| match (round, random.below(4)) {
            (0, _) => most,
            (_, 0) => random.below(most + 1),
            (_, 1) => 8 * (1 + random.below(8)),
            _ => random.below(40),
        });
        let mut layout = |layouts: &[&str]| layouts[random.below(layouts.len())].to_owned();
        let a_spec = spec(E::DTYPE, m, k, &layout(layouts));
        let b_spec = spec(E::DTYPE, k, n, &layout(layouts));
        let c_spec = spec(S::DTYPE, m, n, &layout(&LAYOUTS));
        let Some(small) = Small::of(&a_spec, &b_spec, &c_spec) else { continue };
        count += 1;
        let mut numbers = |count: usize| -> Vec<i32> {
            (0..count).map(|_| random.below(17) as i32 - 8).collect()
        };
        let (a, b) = (numbers(m * k), numbers(k * n));
        let values = |numbers: &[i32]| -> Vec<E::Host> {
            numbers.iter().map(|number| element(*number)).collect()
        };
        let mut a_packed = a_spec.pack::<E>(&values(&a)).unwrap();
        let mut b_packed = b_spec.pack::<E>(&values(&b)).unwrap();
        fill_padding(&a_spec, &mut a_packed);
        fill_padding(&b_spec, &mut b_packed);
        // What elements of bytes are made of: -128 to 127.
        let number = |x: i32| if E::DTYPE == DType::S8 { 16 * x - i32::from(x == 8) } else { x };
        let product = |at: usize, x| number(a[at / n * k + x]) * number(b[x * n + at % n]);
        let sum = |at: usize| finish((0..k).fold(0, |sum, x| sum + product(at, x)));
        let expected: Vec<S::Host> = (0..m * n).map(sum).collect();
        let expected = c_spec.pack::<S>(&expected).unwrap();
        small.each(|function| {
            // All bytes set, one of them, none.
            let one = random.below(c_spec.storage_bytes().max(1));
            for is_set in
                [|_, _| true, |at, one| at == one, |_, _| false] as [fn(usize, usize) -> bool; 3]
            {
                let byte = |at| if is_set(at, one) { 0xA5 } else { 0 };
                let mut c: Vec<u8> = (0..c_spec.storage_bytes()).map(byte).collect();
                small.run(function, &a_packed, &b_packed, &mut c);
                assert!(c == expected, "{a_spec} * {b_spec} = {c_spec}");
            }
        });
    }
    assert!(count > 60, "{count} products of {} are small", E::DTYPE);
}

#[test]
fn what_is_not_small() {
    let is_small = |a: &str, b: &str, c: &str| {
        let [a, b, c] = [a, b, c].map(|text| text.parse().unwrap());
        Small::of(&a, &b, &c).is_some()
    };
    assert!(is_small("f32[8,8]", "f32[8,8]{1,0:T(8,128)}", "f32[8,8]"));
    assert!(!is_small("f32[8,8]{0,1}", "f32[8,8]", "f32[8,8]"), "columns are contiguous");
    assert!(!is_small("f32[8,8]", "f32[8,8]{1,0:T(2,4)}", "f32[8,8]"), "rows are in two tiles");
    assert!(!is_small("f32[8,8]", "f32[8,<=8]", "f32[8,8]"), "the size is not known");
    assert!(!is_small("f32[8,129]", "f32[129,8]", "f32[8,8]"), "an operand is larger");
    assert!(!is_small("f32[8,8]", "f32[8,8]", "bf16[8,8]"), "sums are rounded");
    assert!(is_small("f64[8,8]", "f64[8,8]", "f64[8,8]"));
    assert!(is_small("bf16[8,8]", "bf16[8,8]{1,0:T(8,128)(2,1)}", "f32[8,8]"));
    assert!(
        !is_small("bf16[8,65]", "bf16[65,8]", "f32[8,8]"),
        "an operand is larger than the stack"
    );
    assert!(!is_small("s8[8,8]", "bf16[8,8]", "f32[8,8]"), "elements differ");
    assert!(!is_small("s8[8,8]{1,0:T(8,128)(2,1)}", "s8[8,8]", "s32[8,8]"), "words are not whole");
}
