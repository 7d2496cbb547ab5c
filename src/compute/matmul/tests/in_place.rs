//! Products of many rows with `A` in place, in tiles that end within blocks and slices.

use super::super::micro_kernel::MicroKernel;
use super::{Sample, check, kernels, values};
use crate::element::{F32, F64};
use crate::movement::tests::reference::Random;

/// Layouts of `A`, with tiles that blocks of six rows cross.
const LEFT: [&str; 4] = ["{1,0}", "{1,0:T(8,128)}", "{1,0:T(6,64)}", "{1,0:T(1,40)}"];

/// Layouts of `B` and the product.
const RIGHT: [[&str; 2]; 3] =
    [["{1,0:T(8,128)}", "{1,0:T(8,128)}"], ["{1,0}", "{1,0}"], ["{0,1}", "{1,0:T(4,64)}"]];

fn check_in_place<E: Sample>(seed: u64) {
    let mut random = Random(seed);
    let in_place: Vec<MicroKernel> =
        kernels::<E>().into_iter().filter(|kernel| kernel.in_place.is_some()).collect();
    assert!(!in_place.is_empty());
    // Numbers of columns for which whole blocks are at most a sixteenth more than narrow blocks.
    for [m, k, n] in [[65, 1, 64], [67, 129, 124], [71, 300, 60], [66, 41, 190], [66, 0, 64]] {
        let (a, b) =
            (values::<E>(&mut random, m * k, false), values::<E>(&mut random, k * n, false));
        for (i, kernel) in in_place.iter().enumerate() {
            for (j, left) in LEFT.into_iter().enumerate() {
                let [right, product] = RIGHT[(i + j + k) % RIGHT.len()];
                let kernel = MicroKernel { direct: kernel.direct.min(64), ..*kernel };
                check::<E>(kernel, [m, k, n], [left, right, product], &a, &b);
            }
        }
    }
}

#[test]
fn singles_in_place() {
    check_in_place::<F32>(3);
}

#[test]
fn doubles_in_place() {
    check_in_place::<F64>(4);
}
