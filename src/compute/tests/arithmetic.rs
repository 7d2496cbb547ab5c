use super::*;
use half::bf16;
use num_complex::Complex;

#[test]
fn operators_compute_each_element() {
    type L = layout!(F32 [37, 200] {1, 0} [8, 128]);
    type M = layout!(F32 [37, 200] {0, 1} [4, 16]);
    let (x, y) = (noisy::<L>(&mut Random(21)), noisy::<M>(&mut Random(22)));
    macro_rules! check {
        ($($sign:tt $assign:tt)*) => { $(
            let (mut array, mut number) = (x.clone(), x.clone());
            array $assign &y;
            number $assign 3.0;
            let arrays = [&x $sign &y, x.clone() $sign &y, array];
            let numbers = [&x $sign 3.0, x.clone() $sign 3.0, number];
            for index in indices::<L>() {
                let (a, b) = (x.get(index), y.get(index));
                for result in &arrays {
                    assert_eq!(result.get(index).to_bits(), (a $sign b).to_bits(), "{a} {b}");
                }
                for result in &numbers {
                    assert_eq!(result.get(index).to_bits(), (a $sign 3.0).to_bits(), "{a}");
                }
            }
        )* };
    }
    check!(+ += - -= * *= / /=);
}

#[test]
fn narrow_floats_are_rounded_once() {
    type L = layout!(BF16 [33, 130] {1, 0} [8, 128][2, 1]);
    let (x, y) = (noisy::<L>(&mut Random(23)), noisy::<L>(&mut Random(24)));
    let products = &x * &y;
    for index in indices::<L>() {
        let (a, b) = (x.get(index).to_f32(), y.get(index).to_f32());
        let (product, exact) = (products.get(index), bf16::from_f32(a * b));
        assert!(product.to_bits() == exact.to_bits() || product.is_nan() && exact.is_nan());
    }
}

/// Padding is computed too, whatever its values: a zero, or the lowest integer next to -1.
#[test]
fn integers_wrap_and_divide_by_zero() {
    type L = layout!(S32 [5] {0} [8]);
    let x = L::pack(&[i32::MAX, i32::MIN, -7, 7, i32::MIN]).unwrap();
    let y = L::pack(&[1, 1, 2, 0, -1]).unwrap();
    assert_eq!((&x + &y).unpack(), [i32::MIN, i32::MIN + 1, -5, 7, i32::MAX]);
    assert_eq!((&x - &y).unpack(), [i32::MAX - 1, i32::MAX, -9, 7, i32::MIN + 1]);
    assert_eq!((&x * &y).unpack(), [i32::MAX, i32::MIN, -14, 0, i32::MIN]);
    assert_eq!((&x / &y).unpack(), [i32::MAX, i32::MIN, -3, -1, i32::MIN]);
    let bytes = <layout!(U8 [2] {0} [4])>::pack(&[9, 200]).unwrap();
    assert_eq!(((&bytes / 0).unpack(), (bytes + 100).unpack()), (vec![255, 255], vec![109, 44]));
}

#[test]
fn complex_numbers_multiply() {
    type L = layout!(C64 [2] {0});
    let x = L::pack(&[Complex::new(1.0, 2.0), Complex::new(0.0, -1.0)]).unwrap();
    let squares = [Complex::new(-3.0, 4.0), Complex::new(-1.0, 0.0)];
    assert_eq!((&x * &x).unpack(), squares);
    assert_eq!((x.clone() * Complex::new(0.0, 1.0)).unpack()[1], Complex::new(1.0, 0.0));
}

/// What XLA computes on a CPU.
#[test]
fn complex_numbers_divide_as_in_xla() {
    const INFINITE: f32 = f32::INFINITY;
    let number = |re: f32, im: f32| Complex::new(re, im);
    let quotients = [
        ([number(1e30, 1e30), number(1e30, 1e30)], number(1.0, 0.0)),
        ([number(1e-30, 1e-30), number(1e-30, 1e-30)], number(1.0, 0.0)),
        ([number(1e30, 1.0), number(1.0, 1e30)], number(2e-30, -1.0)),
        ([number(1.0, 1.0), number(0.0, 0.0)], number(INFINITE, INFINITE)),
        ([number(1.0, 1.0), number(-0.0, 0.0)], number(-INFINITE, -INFINITE)),
        ([number(INFINITE, 1.0), number(1.0, 1.0)], number(INFINITE, -INFINITE)),
        ([number(INFINITE, f32::NAN), number(1.0, 1.0)], number(INFINITE, -INFINITE)),
        ([number(1.0, 1.0), number(INFINITE, 1.0)], number(0.0, 0.0)),
    ];
    for ([a, b], expected) in quotients {
        let a = <layout!(C64 [1] {0})>::pack(&[a]).unwrap();
        assert_eq!((a.clone() / b).unpack(), [expected], "{a:?} / {b}");
    }
    let none = Packed::<layout!(C128 [1] {0})>::zeroed().unwrap();
    assert!((&none / &none).get([0]).re.is_nan());
    let large = Complex::new(1e200, 1e200);
    assert_eq!(((none + large) / large).unpack(), [Complex::new(1.0, 0.0)]);
}
