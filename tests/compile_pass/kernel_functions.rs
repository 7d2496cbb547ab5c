//! Rust functions in sparse kernels: closures, paths and types as rustc accepts them.

use tensor_layout::sparse::{Duplicates, SparseTensor};
use tensor_layout::{sparse_encoding, sparse_kernel};

sparse_encoding! { type Csr = (i, j) -> (i : dense, j : compressed); }

fn clamp<T: From<i32> + PartialOrd, const LEAST: i32, const MOST: i32>(x: T) -> T {
    let (least, most) = (T::from(LEAST), T::from(MOST));
    if x < least {
        least
    } else if x > most {
        most
    } else {
        x
    }
}

struct Scale<A, B>(A, B);

impl<A, B> Scale<A, B> {
    const ONE: f64 = 1.0;

    fn half(x: f64) -> f64 {
        x / 2.0
    }
}

trait Number<A, B> {
    type Of;
    fn double(x: f64) -> f64;
}

impl Number<u8, u16> for f64 {
    type Of = f64;

    fn double(x: f64) -> f64 {
        2.0 * x
    }
}

sparse_kernel! {
    fn moved(a: Csr<f64>[i, j]) -> c: Dense<f64>[i, j] { c[i, j] = call(move |x, y| x + y, a[i, j], 1.0) }
    fn turbofish(a: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] { c[i, j] = unary(a[i, j], present = clamp::<f64, 0, 1>) }
    fn generics(a: Csr<f64>[i, j]) -> c: Dense<f64>[i, j] {
        c[i, j] = unary(a[i, j], present = Scale::<u8, Vec<u8>>::half, absent = Scale::<u8, u16>::ONE)
    }
    fn in_a_body(a: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] {
        c[i, j] = unary(a[i, j], present = |x| x * Scale::<u8, u16>::ONE + { let s: Scale<u8, u16> = Scale(1, 2); f64::from(s.1) - f64::from(s.0) })
    }
    fn parameters(a: Csr<f64>[i, j]) -> c: Dense<f64>[i, j] {
        c[i, j] = call(|#[allow(unused_variables)] x: f64, y: <f64 as Number<u8, u16>>::Of| -> f64 { y }, a[i, j], 3.0)
    }
    fn qualified(a: Csr<<f64 as Number<u8, u16>>::Of>[i, j]) -> c: Csr<<f64 as Number<u8, u16>>::Of>[i, j] {
        c[i, j] = unary(a[i, j], present = <f64 as Number<u8, u16>>::double)
    }
    fn combined(a: Csr<f64>[i, j], b: Csr<f64>[i, j]) -> c: Csr<f64>[i, j] {
        c[i, j] = binary(a[i, j], b[i, j], both = |x: f64, y| x.max(y), left = <f64 as Number<u8, u16>>::double, right = identity)
    }
    fn reduced(a: Csr<f64>[i, j]) -> s: f64 { s = reduce(|x: f64, y: f64| if x > y { x } else { y }, Scale::<u8, u16>::ONE, a[i, j]) }
    fn of_types(a: Csr::<f64>[i, j], x: Dense::<f64>[j]) -> y: Dense::<f64>[i] { y[i] += a[i, j] * x[j] }
    fn in_braces(a: {(i, j) -> (i : dense, j : compressed)}<<f64 as Number<u8, u16>>::Of>[i, j]) -> s: <f64 as Number<u8, u16>>::Of {
        s += a[i, j]
    }
}

fn main() {
    let a = [([0, 0], 4.0), ([1, 1], -0.5)];
    let a = SparseTensor::<Csr, f64>::from_coo([2, 2], &a, Duplicates::Error).unwrap();
    assert_eq!(moved(&a).unwrap().values(), [5.0, 1.0, 1.0, 0.5]);
    assert_eq!(turbofish(&a).unwrap().values(), [1.0, 0.0]);
    assert_eq!(generics(&a).unwrap().values(), [2.0, 1.0, 1.0, -0.25]);
    assert_eq!(in_a_body(&a).unwrap().values(), [5.0, 0.5]);
    assert_eq!(parameters(&a).unwrap().values(), [3.0; 4]);
    assert_eq!(qualified(&a).unwrap().values(), [8.0, -1.0]);
    let b = SparseTensor::<Csr, f64>::from_coo(
        [2, 2],
        &[([0, 0], 9.0), ([0, 1], 7.0)],
        Duplicates::Error,
    )
    .unwrap();
    assert_eq!(combined(&a, &b).unwrap().values(), [9.0, 7.0, -1.0]);
    assert_eq!(reduced(&a).unwrap(), 4.0);
    assert_eq!(of_types(&a, &[1.0, 2.0]).unwrap().values(), [4.0, -1.0]);
    assert_eq!(in_braces(&a).unwrap(), 3.5);
}
