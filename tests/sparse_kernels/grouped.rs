//! Kernels whose parts come through `macro_rules!`: the contents of a variable stay together, as in Rust.

use tensor_layout::sparse::{Duplicates, SparseTensor};
use tensor_layout::sparsify::Dense;
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! {
    type Vector = (i) -> (i : compressed);
}

fn values<const RANK: usize>(output: Result<Dense<f64, RANK>, impl std::fmt::Debug>) -> Vec<f64> {
    output.expect("memory").values().to_vec()
}

macro_rules! kernel {
    ($vis:vis $name:ident, $vector:ty, $number:ty, $value:expr, $subscript:expr, $guard:expr) => {
        sparse_kernel! {
            $vis fn $name(a: $vector[i], b: $number) -> y: Dense<$number>[i] {
                y[i] = 2 * $value / $value - $value + a[2 * $subscript] + a[$subscript * 2] if 1 - $guard
            }
        }
    };
}
kernel!(pub(crate) sums, Vector<f64>, f64, 1 + b, i - 1, b > 4);
kernel!(signs, Dense<f64>, f64, -1, i, b == 4.0);

#[test]
fn an_expression_stays_together() {
    let a: [([usize; 1], f64); 3] = [([0], 10.0), ([2], 20.0), ([4], 30.0)];
    let a = SparseTensor::<Vector, f64>::from_coo([6], &a, Duplicates::Error).expect("a vector");
    // (2 * (1 + 3) / (1 + 3)) - (1 + 3) + 2 * a[2 * (i - 1)], where 1 - (3 > 4) is not zero
    assert_eq!(values(sums(&a, 3.0)), [-2.0, 18.0, 38.0, 58.0, -2.0, -2.0]);
    assert_eq!(values(sums(&a, 5.0)), [0.0; 6]);
    // (2 * -1 / -1) - -1 + 2 * a[2 * i]
    assert_eq!(values(signs(&[10.0, 0.0, 20.0, 0.0, 30.0], 3.0)), [23.0, 43.0, 63.0, 3.0, 3.0]);
    assert_eq!(values(signs(&[10.0, 0.0, 20.0, 0.0, 30.0], 4.0)), [0.0; 5]);
}

macro_rules! shifted {
    ($name:ident, $factor:literal, $shift:expr, $size:literal) => {
        sparse_kernel! {
            fn $name(a: Vector<f64>[n], x: Dense<f64>[n]) -> y: Dense<f64>[i] {
                y[i] = a[$factor * $shift] + x[$factor * $shift]; size(i, $size)
            }
        }
    };
}
shifted!(one_before, 2, i - 1, 4);

sparse_kernel! {
    fn every_other(a: Vector<f64>[n]) -> y: Dense<f64>[i] { y[i] = a[2 * i - 2] }
}

#[test]
fn a_subscript_stays_together() {
    let a: [([usize; 1], f64); 3] = [([0], 10.0), ([2], 20.0), ([5], 30.0)];
    let a = SparseTensor::<Vector, f64>::from_coo([6], &a, Duplicates::Error).expect("a vector");
    let x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    assert_eq!(values(one_before(&a, &x)), [0.0, 11.0, 23.0, 5.0]);
    // The largest `i` for which 2 * i - 2 is within the six is 3.
    assert_eq!(values(every_other(&a)), [0.0, 10.0, 20.0, 0.0]);
}

macro_rules! statement {
    ($name:ident, $statement:expr, $times:literal) => {
        sparse_kernel! {
            fn $name(a: Dense<f64>[i], b: f64) -> y: Dense<f64>[i] { $statement; unroll(i, $times) }
        }
    };
}
statement!(assigned, y[i] = a[i] * b + 1, 2);
statement!(added, y[i] += a[i] - b, 4);

macro_rules! target {
    ($name:ident, $target:expr, $value:expr) => {
        sparse_kernel! {
            fn $name(a: Dense<f64>[i]) -> y: Dense<f64>[i] { $target += 3 * $value }
        }
    };
}
target!(tripled, y[i], a[i] - 1);

#[test]
fn statements_are_opened() {
    assert_eq!(values(assigned(&[1.0, 2.0], 3.0)), [4.0, 7.0]);
    assert_eq!(values(added(&[1.0, 2.0], 3.0)), [-2.0, -1.0]);
    assert_eq!(values(tripled(&[1.0, 2.0])), [0.0, 3.0]);
}

macro_rules! written {
    ($name:ident, $function:expr, $identity:expr) => {
        sparse_kernel! {
            fn $name(a: Dense<f64>[i]) -> s: f64 {
                s = reduce($function, $identity, call($function, a[i], 2))
            }
        }
    };
}
written!(path, f64::max, 1.0 + 2.0);
written!(closure, |x, y| x + y, -1.0);

macro_rules! within {
    ($name:ident, $term:expr, $t:ty) => {
        sparse_kernel! {
            fn $name(a: Dense<f64>[i]) -> y: Dense<f64>[i] {
                y[i] = call(|x: $t| { x * $term + $term.sqrt() }, a[i])
            }
        }
    };
}
within!(in_a_closure, 2.0_f64 + 2.0, core::primitive::f64);

#[test]
fn functions_are_as_rust_has_them() {
    assert_eq!(path(&[1.0, 2.0]), Ok(3.0));
    assert_eq!(closure(&[1.0, 2.0]), Ok(6.0));
    assert_eq!(values(in_a_closure(&[1.0, 2.0])), [6.0, 10.0]);
}
