//! Small products, which nothing is copied for.

use super::super::small::Small;
use super::spec;
use crate::element::F32;
use crate::movement::DynLayout;
use crate::movement::tests::reference::{Random, fill_padding};
use layout_core::dtype::DType;

/// Layouts whose rows are in one tile, up to 128 columns.
const LAYOUTS: [&str; 5] =
    ["{1,0}", "{1,0:T(8,128)}", "{1,0:T(4,200)}", "{1,0:T(8,128)L(64)}", "{1,0:T(16,256)}"];

#[test]
fn small_products_by_every_function() {
    let mut random = Random(14);
    let mut count = 0;
    for round in 0..400 {
        let [m, k, n]: [usize; 3] = core::array::from_fn(|_| match (round, random.below(4)) {
            (0, _) => 128,
            (_, 0) => random.below(129),
            (_, 1) => 8 * (1 + random.below(8)),
            _ => random.below(40),
        });
        let [a_spec, b_spec, c_spec] = [[m, k], [k, n], [m, n]].map(|[rows, columns]| {
            spec(DType::F32, rows, columns, LAYOUTS[random.below(LAYOUTS.len())])
        });
        let Some(small) = Small::of(&a_spec, &b_spec, &c_spec) else { continue };
        count += 1;
        let mut numbers = |count: usize| -> Vec<f32> {
            (0..count).map(|_| random.below(17) as f32 / 4.0 - 2.0).collect()
        };
        let (a, b) = (numbers(m * k), numbers(k * n));
        let mut a_packed = a_spec.pack::<F32>(&a).unwrap();
        let mut b_packed = b_spec.pack::<F32>(&b).unwrap();
        fill_padding(&a_spec, &mut a_packed);
        fill_padding(&b_spec, &mut b_packed);
        // Multiples of 1/16 up to 512: each sum is exact.
        let product = |at: usize, x| a[at / n * k + x] * b[x * n + at % n];
        let sum = |at: usize| (0..k).fold(0.0, |sum, x| sum + product(at, x));
        let expected: Vec<f32> = (0..m * n).map(sum).collect();
        let expected = c_spec.pack::<F32>(&expected).unwrap();
        Small::each(|function| {
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
    assert!(count > 300, "{count} products are small");
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
    assert!(!is_small("f64[8,8]", "f64[8,8]", "f64[8,8]"), "elements are wider");
}
