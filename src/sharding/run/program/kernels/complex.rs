//! Operations on complex numbers, which are computed in double precision and rounded once.

use super::super::elements::Computed;
use super::super::numbers::Numbers;
use super::fourier::{Lines, transformed};
use super::shape::{offsets, strides};
use super::{Failed, HostArray, LocalCall, LocalKernel, Made, dot};
use crate::compute::Arithmetic;
use crate::element::HostValue;
use crate::sharding::run::RunError;
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use core::f64::consts::LN_2;
use layout_core::dtype::DType;
use layout_core::sharding::ops::half_of;

pub(super) type Complex = num_complex::Complex<f64>;

/// The elements of an array of any type.
pub(super) fn numbers(array: &HostArray) -> Vec<Complex> {
    macro_rules! parts {
        ($T:ty) => {{
            let elements = array.as_bytes().chunks_exact(2 * size_of::<$T>());
            let part = |bytes: &[u8]| f64::from(<$T as HostValue>::from_le(bytes));
            let halves = elements.map(|bytes| bytes.split_at(size_of::<$T>()));
            halves.map(|(re, im)| Complex::new(part(re), part(im))).collect()
        }};
    }
    let real = |re: f64| Complex::new(re, 0.0);
    match array.dtype() {
        DType::C64 => parts!(f32),
        DType::C128 => parts!(f64),
        _ => match Numbers::of(array) {
            Numbers::Single(x) => x.into_iter().map(|x| real(x.into())).collect(),
            Numbers::Double(x) => x.into_iter().map(real).collect(),
            Numbers::Integer(x) => x.into_iter().map(|x| real(x as f64)).collect(),
        },
    }
}

/// An array of these elements; an array of a real type has their real parts.
pub(super) fn store(
    numbers: Vec<Complex>,
    dtype: DType,
    dims: &[usize],
) -> Result<HostArray, RunError> {
    let mut array = HostArray::zeroed(dtype, dims)?;
    let (width, bytes) = (array.width(), array.as_bytes_mut()?);
    let bytes = bytes.chunks_exact_mut(width);
    bytes.zip(numbers).for_each(|(bytes, number)| write(number, dtype, bytes));
    Ok(array)
}

/// Writes a number as one element; as one of a real type, its real part.
fn write(number: Complex, dtype: DType, bytes: &mut [u8]) {
    match dtype {
        DType::C64 => {
            (number.re as f32).write_le(&mut bytes[..4]);
            (number.im as f32).write_le(&mut bytes[4..]);
        }
        DType::C128 => {
            number.re.write_le(&mut bytes[..8]);
            number.im.write_le(&mut bytes[8..]);
        }
        _ => f64::write(&[number.re], dtype, bytes),
    }
}

/// Whether the elements are complex.
pub(in super::super) const fn is_complex(dtype: DType) -> bool {
    matches!(dtype, DType::C64 | DType::C128)
}

/// The kernel of an operation that computes with complex numbers; `None` if it only moves elements.
pub(in super::super) fn find(name: &str) -> Option<LocalKernel> {
    let kernel: fn(&LocalCall<'_>) -> Made = match name {
        "abs" | "exp" | "exponential" | "log" | "neg" | "negate" | "sqrt" => map,
        "add" | "div" | "divide" | "mul" | "multiply" | "sub" | "subtract" => zip,
        "compare" => compare,
        "convert" => convert,
        "dot" | "dot_general" => product,
        "reduce" => reduce,
        _ => return None,
    };
    Some(LocalKernel::Reads(kernel))
}

fn map(call: &LocalCall<'_>) -> Made {
    let of: fn(Complex) -> Complex = match call.name {
        "abs" => |z| Complex::new(z.re.hypot(z.im), 0.0),
        "exp" | "exponential" => exp,
        "log" => |z| Complex::new(log_of_size(z), z.im.atan2(z.re)),
        "sqrt" => sqrt,
        _ => |z| -z,
    };
    let x = call.operand(0);
    let made = numbers(x).into_iter().map(of).collect();
    Ok(vec![store(made, call.result().dtype, x.dims())?])
}

fn exp(z: Complex) -> Complex {
    let size = z.re.exp();
    if z.im == 0.0 {
        // An infinity times the sine of zero is NaN.
        return Complex::new(size, z.im);
    }
    if size.is_finite() {
        return polar(size, z.im);
    }
    // The size overflows, but a part may not.
    let root = (z.re / 2.0).exp();
    polar(root, z.im) * root
}

/// The logarithm of the magnitude.
fn log_of_size(z: Complex) -> f64 {
    let (re, im) = (z.re.abs(), z.im.abs());
    let (large, small) = if re >= im { (re, im) } else { (im, re) };
    if (0.5..2.0).contains(&large) && small < 2.0 {
        // Rounding the magnitude to a number near 1 would lose most bits of its logarithm.
        return ((large - 1.0) * (large + 1.0) + small * small).ln_1p() / 2.0;
    }
    // Scaled, so that the magnitude neither overflows nor loses bits.
    let (scale, log_of_scale) = match large {
        1e300.. => (0.5, -LN_2),
        ..1e-290 => (SMALL, 54.0 * LN_2),
        _ => (1.0, 0.0),
    };
    (large * scale).hypot(small * scale).ln() - log_of_scale
}

/// The square root with a real part that is not negative: that of 4 and of -4 are exact, and an infinite part makes it infinite.
fn sqrt(z: Complex) -> Complex {
    if z.im.is_infinite() {
        return Complex::new(f64::INFINITY, z.im);
    }
    if z.re.is_infinite() {
        let other = if z.im.is_nan() { z.im } else { 0.0_f64.copysign(z.im) };
        let large = f64::INFINITY.copysign(z.im);
        return if z.re > 0.0 {
            Complex::new(z.re, other)
        } else {
            Complex::new(other.abs(), large)
        };
    }
    // Scaled by a power of four, so that large numbers do not overflow and small ones keep their bits.
    let (scale, root) = match z.re.abs().max(z.im.abs()) {
        1e300.. => (0.0625, 0.25),
        ..1e-290 => (SMALL * SMALL, SMALL),
        _ => (1.0, 1.0),
    };
    let (x, y) = (z.re.abs() * scale, z.im.abs() * scale);
    // The other part follows from `y = 2 * larger * smaller`.
    let larger = ((x + x.hypot(y)) / 2.0).sqrt();
    if larger == 0.0 {
        return Complex::new(0.0, z.im);
    }
    let smaller = y / larger / 2.0;
    let (re, im) = if z.re >= 0.0 { (larger, smaller) } else { (smaller, larger) };
    Complex::new(re / root, (im / root).copysign(z.im))
}

/// A power of two by whose square small numbers are multiplied: 2^54.
const SMALL: f64 = (1_u64 << 54) as f64;

/// The number with this magnitude and angle.
pub(super) fn polar(size: f64, angle: f64) -> Complex {
    Complex::new(size * angle.cos(), size * angle.sin())
}

fn zip(call: &LocalCall<'_>) -> Made {
    let of: fn(Complex, Complex) -> Complex = match call.name {
        "add" => |a, b| a + b,
        "sub" | "subtract" => |a, b| a - b,
        "mul" | "multiply" => |a, b| a * b,
        _ => Arithmetic::div,
    };
    let (a, b) = (call.operand(0), call.operand(1));
    let made = numbers(a).into_iter().zip(numbers(b)).map(|(a, b)| of(a, b)).collect();
    Ok(vec![store(made, call.result().dtype, a.dims())?])
}

/// Compares complex numbers, which have no order, only for equality.
fn compare(call: &LocalCall<'_>) -> Made {
    let is_equal = match call.attributes.word("direction", "EQ") {
        "EQ" => true,
        "NE" => false,
        _ => return Err(Failed::Not("complex numbers have no order".to_string())),
    };
    let (a, b) = (call.operand(0), call.operand(1));
    let truths = numbers(a).into_iter().zip(numbers(b));
    let truths = Numbers::Integer(truths.map(|(a, b)| ((a == b) == is_equal).into()).collect());
    Ok(vec![truths.store(DType::PRED, a.dims())?])
}

fn convert(call: &LocalCall<'_>) -> Made {
    let (x, dtype) = (call.operand(0), call.result().dtype);
    let made = if dtype == DType::C64
        && !is_complex(x.dtype())
        && let Numbers::Integer(x) = Numbers::of(x)
    {
        // Rounded once: by way of `f64`, large integers would be rounded twice.
        x.into_iter().map(|x| Complex::new((x as f32).into(), 0.0)).collect()
    } else {
        numbers(x)
    };
    Ok(vec![store(made, dtype, x.dims())?])
}

/// `real(x)`, `imag(x)`
pub(super) fn part(call: &LocalCall<'_>) -> Made {
    let x = call.operand(0);
    let is_real = call.name == "real";
    let part = |z: Complex| Complex::new(if is_real { z.re } else { z.im }, 0.0);
    let made = numbers(x).into_iter().map(part).collect();
    Ok(vec![store(made, call.result().dtype, x.dims())?])
}

/// `complex(x, y)`, of the real and the imaginary parts.
pub(super) fn complex(call: &LocalCall<'_>) -> Made {
    let (re, im) = (call.operand(0), call.operand(1));
    let made = numbers(re).into_iter().zip(numbers(im));
    let made = made.map(|(re, im)| Complex::new(re.re, im.re)).collect();
    Ok(vec![store(made, call.result().dtype, re.dims())?])
}

fn product(call: &LocalCall<'_>) -> Made {
    let (a, b) = (numbers(call.operand(0)), numbers(call.operand(1)));
    let zero = Complex::new(0.0, 0.0);
    let of = dot::by_loops(call, zero, |sum, (at, other)| sum + a[at] * b[other]);
    let mut made = HostArray::zeroed(call.result().dtype, call.result().local_dims())?;
    let (dtype, width) = (made.dtype(), made.width());
    let elements = made.as_bytes_mut()?.chunks_exact_mut(width).enumerate();
    elements.for_each(|(at, bytes)| write(of(at), dtype, bytes));
    Ok(vec![made])
}

/// Sums of complex numbers: programs with another reduction are refused before they run.
fn reduce(call: &LocalCall<'_>) -> Made {
    let count = call.results.len();
    let made = call.results.iter().enumerate().map(|(at, result)| {
        let (x, dims) = (call.operand(at), result.local_dims());
        let (mut to, own) = (vec![0; x.dims().len()], strides(dims));
        let kept = (0..x.dims().len()).filter(|dim| !call.list(0).contains(dim));
        kept.zip(own).for_each(|(dim, stride)| to[dim] = stride);
        // The initial value of the sum counts once.
        let start = call.operands.get(count + at).filter(|_| call.is_first);
        let start = start.and_then(|start| numbers(&start.array).first().copied());
        let start = start.unwrap_or_default();
        if x.count() == 0 {
            return Ok(HostArray::repeating(&store(vec![start], result.dtype, &[])?, dims)?);
        }
        let mut sums = vec![start; dims.iter().product()];
        let mut numbers = numbers(x).into_iter();
        offsets(x.dims(), 0, &to, |at| {
            if let Some(number) = numbers.next() {
                sums[at as usize] += number;
            }
        });
        Ok(store(sums, result.dtype, dims)?)
    });
    made.collect()
}

/// `fft(x)` in MLIR: discrete Fourier transforms over the last dimensions.
pub(super) fn fft(call: &LocalCall<'_>) -> Made {
    let x = call.operand(0);
    let (kind, sizes) =
        (call.attributes.word("type", "FFT"), call.attributes.named_numbers("length"));
    let rank = x.dims().len();
    let (Some(first), Some(&last)) = (rank.checked_sub(sizes.len()), sizes.last()) else {
        return Err(Failed::Not("it does not say what it transforms".to_string()));
    };
    let others = first..rank - 1;
    let mut lines = Lines { numbers: numbers(x), dims: x.dims().to_vec() };
    let same = |dim: usize| (dim, x.dims()[dim]);
    match kind {
        "FFT" => {
            (first..rank).for_each(|dim| lines.each(same(dim), |line| transformed(line, false)));
        }
        "IFFT" => {
            (first..rank).for_each(|dim| lines.each(same(dim), |line| transformed(line, true)));
        }
        "RFFT" => {
            lines.each((rank - 1, half_of(last)), |line| {
                let mut line = transformed(line, false);
                line.truncate(half_of(last));
                line
            });
            others.for_each(|dim| lines.each(same(dim), |line| transformed(line, false)));
        }
        "IRFFT" => {
            others.for_each(|dim| lines.each(same(dim), |line| transformed(line, true)));
            // The second half of a line is the conjugate of the first half, in reverse order.
            lines.each((rank - 1, last), |half| {
                let at = |at: usize| half.get(at).copied().unwrap_or_default();
                let of = |k: usize| if k <= last / 2 { at(k) } else { at(last - k).conj() };
                transformed((0..last).map(of).collect(), true)
            });
        }
        _ => return Err(Failed::Not(format!("there is no transform `{kind}`"))),
    }
    Ok(vec![store(lines.numbers, call.result().dtype, &lines.dims)?])
}
