//! Compares products on every instruction set of this CPU with sums in `f64`.

use super::super::formats::TwoOfFour;
use super::super::tensor::SparseTensor;
use super::TwoOfFourError;
use crate::cpu::{Cpu, forced};
use alloc::vec;
use alloc::vec::Vec;
use half::bf16;

fn random(seed: u64) -> impl FnMut() -> bf16 {
    let mut state = seed | 1;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        bf16::from_f32((state >> 48) as f32 / 32768.0 - 1.0)
    }
}

/// The number of rows of activations from which weights are expanded, if their columns are a multiple of 8.
fn expanded_from(cpu: Cpu) -> usize {
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    {
        use crate::cpu::detect::{HasAvx512Spread, HasFma};
        if matches!(cpu, Cpu::Avx512(_)) && HasAvx512Spread::detect().is_some() {
            return 6;
        }
        if matches!(cpu, Cpu::Avx2(_) | Cpu::Avx512(_)) && HasFma::detect().is_some() {
            return super::EXPANDED;
        }
    }
    let _ = cpu;
    2
}

#[test]
fn products_are_as_exact_as_documented_on_every_cpu() {
    // Complete and incomplete steps of 64 elements, rows that start within a byte of coordinates or end within a group, complete
    // and incomplete panels of 32 rows, and rows that are longer than the depth of a panel.
    let shapes = [[1, 64], [37, 128], [5, 8], [33, 200], [3, 12], [7, 5], [70, 96], [2, 4168]];
    for (seed, shape) in shapes.into_iter().enumerate() {
        let mut random = random(seed as u64);
        let dense: Vec<bf16> = (0..shape[0] * shape[1]).map(|_| random()).collect();
        let weights = SparseTensor::<TwoOfFour, bf16>::from_dense_pruned(shape, &dense);
        let weights = weights.expect("memory");
        let pruned = weights.to_dense().expect("memory");
        for m in [1, 2, 3, 4, 5, 6, 7, 13, 17] {
            let x: Vec<bf16> = (0..m * shape[1]).map(|_| random()).collect();
            for cpu in Cpu::all() {
                forced::set(cpu, false);
                let y = weights.matmul(&x).expect("memory");
                assert_eq!(y.len(), m * shape[0]);
                for (at, y) in y.iter().enumerate() {
                    let row = |of: &[bf16], row: usize| {
                        of[row * shape[1]..][..shape[1]]
                            .iter()
                            .map(|x| x.to_f64())
                            .collect::<Vec<_>>()
                    };
                    let (w, x) = (row(&pruned, at % shape[0]), row(&x, at / shape[0]));
                    let products: Vec<f64> = w.iter().zip(&x).map(|(w, x)| w * x).collect();
                    let by_lanes = m == 1 || m < expanded_from(cpu) && shape[1] % 8 == 0;
                    let adds = if by_lanes { shape[1] as f64 / 32.0 } else { shape[1] as f64 };
                    let magnitude: f64 = products.iter().map(|x| x.abs()).sum();
                    let bound = (adds + 9.0) * 2f64.powi(-24) * magnitude;
                    let error = (products.iter().sum::<f64>() - f64::from(*y)).abs();
                    assert!(error <= bound, "{shape:?} {m} {cpu:?} {at}: {error:e} > {bound:e}");
                }
            }
        }
    }
}

#[test]
fn each_pair_of_places_is_found() {
    // One row for each pair of positions in a group, multiplied by powers of two that distinguish the positions.
    let pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
    let mut dense = [bf16::ZERO; 6 * 8];
    for (row, [a, b]) in pairs.into_iter().enumerate() {
        for at in [a, b, 4 + pairs[5 - row][0], 4 + pairs[5 - row][1]] {
            dense[row * 8 + at] = bf16::ONE;
        }
    }
    let weights = SparseTensor::<TwoOfFour, bf16>::from_dense([6, 8], &dense).expect("two of four");
    let x: [bf16; 8] = core::array::from_fn(|at| bf16::from_f32((1 << at) as f32));
    for cpu in Cpu::all() {
        forced::set(cpu, false);
        for m in [1, 6] {
            let y = weights.matmul(&x.repeat(m)).expect("memory");
            for (at, y) in y.into_iter().enumerate() {
                let ([a, b], [c, d]) = (pairs[at % 6], pairs[5 - at % 6]);
                let expected = (1 << a) + (1 << b) + (16 << c) + (16 << d);
                assert_eq!(y, expected as f32, "{cpu:?} {m} {at}");
            }
        }
    }
}

#[test]
fn infinities_and_nans_meet_only_stored_values() {
    // Columns 0 and 1 of each group are stored in even rows, and columns 1 and 2 in odd ones.
    let stored = |row: usize, column: usize| (column + 4 - row % 2) % 4 < 2;
    let dense: Vec<_> =
        (0..5 * 72).map(|at| bf16::from_f32(f32::from(stored(at / 72, at % 72)))).collect();
    let weights = SparseTensor::<TwoOfFour, bf16>::from_dense([5, 72], &dense).expect("pairs");
    for cpu in Cpu::all() {
        forced::set(cpu, false);
        for m in [1, 3, 6] {
            for special in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
                let mut x = vec![bf16::ONE; m * 72];
                x[70] = bf16::from_f32(special);
                let y = weights.matmul(&x).expect("memory");
                for (at, y) in y.into_iter().enumerate() {
                    let reached = at / 5 == 0 && stored(at % 5, 70);
                    let expected = if reached { special } else { 36.0 };
                    let same = y == expected || y.is_nan() && expected.is_nan();
                    assert!(same, "{cpu:?} {m} {at}: {y}, not {expected}");
                }
            }
        }
    }
}

#[test]
fn wrong_sizes_are_refused_and_empty_ones_are_not() {
    let weights = SparseTensor::<TwoOfFour, bf16>::from_dense([2, 8], &[bf16::ONE; 16]);
    assert!(weights.is_err(), "four of four");
    let weights = SparseTensor::<TwoOfFour, bf16>::from_dense([2, 8], &[bf16::ZERO; 16]);
    let weights = weights.expect("zeros");
    let (x, mut y) = ([bf16::ONE; 16], [1.0; 4]);
    assert_eq!(
        weights.matmul(&x[..9]).unwrap_err(),
        TwoOfFourError::Activations { actual: 9, columns: 8 }
    );
    assert_eq!(
        weights.matmul_into(&x, &mut y[..3]).unwrap_err().to_string(),
        "the result has 3 elements, but the product has 4"
    );
    weights.matmul_into(&x, &mut y).expect("sized");
    assert_eq!((y, weights.matmul(&[]).expect("no rows")), ([0.0; 4], Vec::new()));
    for shape in [[0, 8], [2, 0]] {
        let empty = SparseTensor::<TwoOfFour, bf16>::from_dense(shape, &[]).expect("no elements");
        assert!(empty.matmul(&[]).expect("no rows").is_empty());
    }
}
