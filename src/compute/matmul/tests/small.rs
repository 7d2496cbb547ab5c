//! Small products, for which nothing is allocated.

use super::super::small::Small;
use super::spec;
use crate::element::{BF16, Element, F16, F32, F64, S8, S32, U8};
use crate::movement::DynLayout;
use crate::movement::tests::reference::{Random, fill_padding};
use layout_core::dtype::DType;

/// Layouts whose rows are in one tile, for up to 128 columns.
const LAYOUTS: [&str; 5] =
    ["{1,0}", "{1,0:T(8,128)}", "{1,0:T(4,200)}", "{1,0:T(8,128)L(64)}", "{1,0:T(16,256)}"];
/// The same with words of two rows, and of four.
const PAIRS: [&str; 4] = ["{1,0}", "{1,0:T(8,128)(2,1)}", "{1,0:T(16,100)(2,1)}", "{1,0:T(8,65)}"];
const FOURS: [&str; 4] = ["{1,0}", "{1,0:T(8,128)(4,1)}", "{1,0:T(32,100)(4,1)}", "{1,0:T(8,65)}"];

#[test]
fn small_products_by_every_function() {
    let (float, double) = (|x: i32| x as f32 / 4.0, |x: i32| f64::from(x) / 4.0);
    // Multiples of 1/16 up to 512: each sum is exact.
    let one = [&LAYOUTS[..]; 3];
    products::<F32, F32, F32>(128, one, (float, float), |x| x as f32 / 16.0);
    products::<F64, F64, F64>(128, one, (double, double), |x| f64::from(x) / 16.0);
    let pair = |x| half::bf16::from_f32(float(x));
    let (sum, rounded) = (|x: i32| x as f32 / 16.0, |x: i32| half::bf16::from_f32(x as f32 / 16.0));
    let narrow = [&PAIRS[..], &PAIRS[..], &LAYOUTS[..]];
    products::<BF16, BF16, F32>(64, narrow, (pair, pair), sum);
    products::<BF16, BF16, BF16>(64, [&PAIRS[..]; 3], (pair, pair), rounded);
    // Multiples of 1/4, and bytes up to 128.
    let byte = |x: i32| byte(x) as i8;
    let (sum, rounded) = (|x: i32| x as f32 / 4.0, |x: i32| half::bf16::from_f32(x as f32 / 4.0));
    products::<BF16, S8, F32>(64, [&PAIRS[..], &FOURS[..], &LAYOUTS[..]], (pair, byte), sum);
    products::<S8, BF16, F32>(64, [&FOURS[..], &PAIRS[..], &LAYOUTS[..]], (byte, pair), sum);
    products::<BF16, S8, BF16>(64, [&PAIRS[..], &FOURS[..], &PAIRS[..]], (pair, byte), rounded);
    products::<S8, S8, S32>(64, [&FOURS[..], &FOURS[..], &LAYOUTS[..]], (byte, byte), |x| x);
    // Widened to `f32` on every CPU: the largest sum of bytes is 64 * 255 * 255, and of `f16`, 64 * 2 * 255.
    let unsigned = |x: i32| number(DType::U8, x) as u8;
    products::<U8, U8, S32>(
        64,
        [&FOURS[..], &FOURS[..], &LAYOUTS[..]],
        (unsigned, unsigned),
        |x| x,
    );
    products::<S8, U8, S32>(64, [&FOURS[..], &FOURS[..], &LAYOUTS[..]], (byte, unsigned), |x| x);
    let half = |x| half::f16::from_f32(float(x));
    let sum = |x: i32| x as f32 / 4.0;
    products::<F16, U8, F32>(64, [&PAIRS[..], &FOURS[..], &LAYOUTS[..]], (half, unsigned), sum);
    let [sum, rounded] = [16.0; 2].map(|unit| move |x: i32| x as f32 / unit);
    let rounded = |x| half::f16::from_f32(rounded(x));
    products::<BF16, F16, F32>(64, [&PAIRS[..], &PAIRS[..], &LAYOUTS[..]], (pair, half), sum);
    products::<F16, F16, F16>(64, [&PAIRS[..]; 3], (half, half), rounded);
    products::<F32, F16, F16>(64, [&LAYOUTS[..], &PAIRS[..], &PAIRS[..]], (float, half), rounded);
}

/// A byte, -128 to 127, from a number from -8 to 8.
fn byte(x: i32) -> i32 {
    16 * x - i32::from(x == 8)
}

/// What an element of this type contains instead of a number from -8 to 8, if it is a byte.
fn number(dtype: DType, x: i32) -> i32 {
    match dtype {
        DType::S8 => byte(x),
        DType::U8 => byte(x) + 128,
        _ => x,
    }
}

/// Products of elements that are made from -8 to 8, compared with sums that are made from sums of products.
fn products<A: Element, B: Element, S: Element>(
    most: usize,
    layouts: [&[&str]; 3],
    (a_element, b_element): (impl Fn(i32) -> A::Host, impl Fn(i32) -> B::Host),
    finish: impl Fn(i32) -> S::Host,
) {
    let mut random = Random(14);
    let mut count = 0;
    for round in 0..60 {
        let [m, k, n]: [usize; 3] = core::array::from_fn(|_| match (round, random.below(4)) {
            (0, _) => most,
            (_, 0) => random.below(most + 1),
            (_, 1) => 8 * (1 + random.below(8)),
            _ => random.below(40),
        });
        let mut layout = |layouts: &[&str]| layouts[random.below(layouts.len())].to_owned();
        let a_spec = spec(A::DTYPE, m, k, &layout(layouts[0]));
        let b_spec = spec(B::DTYPE, k, n, &layout(layouts[1]));
        let c_spec = spec(S::DTYPE, m, n, &layout(layouts[2]));
        let Some(small) = Small::of(&a_spec, &b_spec, &c_spec) else { continue };
        count += 1;
        let mut numbers = |count: usize| -> Vec<i32> {
            (0..count).map(|_| random.below(17) as i32 - 8).collect()
        };
        let (a, b) = (numbers(m * k), numbers(k * n));
        let a_values: Vec<A::Host> = a.iter().map(|number| a_element(*number)).collect();
        let b_values: Vec<B::Host> = b.iter().map(|number| b_element(*number)).collect();
        let mut a_packed = a_spec.pack::<A>(&a_values).unwrap();
        let mut b_packed = b_spec.pack::<B>(&b_values).unwrap();
        fill_padding(&a_spec, &mut a_packed);
        fill_padding(&b_spec, &mut b_packed);
        let product = |at: usize, x| {
            number(A::DTYPE, a[at / n * k + x]) * number(B::DTYPE, b[x * n + at % n])
        };
        let sum = |at: usize| finish((0..k).fold(0, |sum, x| sum + product(at, x)));
        let expected: Vec<S::Host> = (0..m * n).map(sum).collect();
        let expected = c_spec.pack::<S>(&expected).unwrap();
        small.each(|function| {
            // All bytes set, one byte set, or none.
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
    assert!(count > 30, "{count} products of {} are small", A::DTYPE);
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
    assert!(is_small("f32[8,8]", "f32[8,8]", "bf16[8,8]"), "sums are rounded");
    assert!(
        !is_small("f32[8,65]", "f32[65,8]", "bf16[8,8]"),
        "sums of larger products are rounded"
    );
    assert!(is_small("f64[8,8]", "f64[8,8]", "f64[8,8]"));
    assert!(is_small("bf16[8,8]", "bf16[8,8]{1,0:T(8,128)(2,1)}", "f32[8,8]"));
    assert!(
        !is_small("bf16[8,65]", "bf16[65,8]", "f32[8,8]"),
        "an operand is larger than the stack"
    );
    assert!(is_small("s8[8,8]", "bf16[8,8]", "f32[8,8]"), "bytes become bf16");
    assert!(is_small("bf16[8,8]", "bf16[8,8]", "bf16[8,8]{1,0:T(8,128)(2,1)}"));
    assert!(!is_small("s8[8,8]", "s8[8,8]", "bf16[8,8]"), "sums are integers");
    assert!(is_small("s8[8,8]", "f32[8,8]", "f32[8,8]"), "bytes become f32");
    assert!(!is_small("s8[8,8]", "f64[8,8]", "f64[8,8]"), "elements differ");
    assert!(!is_small("s8[8,8]{1,0:T(8,128)(2,1)}", "s8[8,8]", "s32[8,8]"), "words are not whole");
}
