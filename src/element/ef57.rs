//! Doubles as pairs of floats, for devices without doubles: XLA's EF57, an exponent of 8 bits and a significand of about
//! 49.
//!
//! A pair has 8 bytes, like the double that it represents, so layouts of `f64` arrays are also layouts of arrays of pairs.
//!
//! ```
//! use tensor_layout::ef57;
//! let pair = ef57::split(0.1);
//! assert_eq!(pair[0], 0.1_f32);
//! assert!((ef57::join(pair) - 0.1).abs() < 1e-15);
//! ```

/// Splits `value` into the nearest float and the float nearest to the difference. The sum is `value` exactly if its significand
/// fits the two. A value past the largest float becomes infinite; if the first float is an infinity or NaN, the second is zero.
///
/// ```
/// use tensor_layout::ef57;
/// assert_eq!(ef57::split(1.0 + 2.0_f64.powi(-40)), [1.0, 2.0_f32.powi(-40)]);
/// assert_eq!(ef57::split(1e300), [f32::INFINITY, 0.0]);
/// ```
#[must_use]
#[allow(clippy::cast_possible_truncation, reason = "rounding to the nearest float is what it does")]
pub const fn split(value: f64) -> [f32; 2] {
    let high = value as f32;
    let low = if high.is_finite() { (value - high as f64) as f32 } else { 0.0 };
    [high, low]
}

/// The double that a pair represents: the sum of its two floats.
///
/// ```
/// use tensor_layout::ef57;
/// assert_eq!(ef57::join(ef57::split(1.5)), 1.5);
/// ```
#[must_use]
pub const fn join([high, low]: [f32; 2]) -> f64 {
    high as f64 + low as f64
}
