//! Doubles as pairs of floats, for devices without doubles: XLA's EF57, an exponent of 8 bits and a significand of about
//! 49.
//!
//! A pair takes the 8 bytes of the double that it stands for, so the layouts of `f64` arrays are those of pairs.
//!
//! ```
//! use tensor_layout::ef57;
//! let pair = ef57::split(0.1);
//! assert_eq!(pair[0], 0.1_f32);
//! assert!((ef57::join(pair) - 0.1).abs() < 1e-15);
//! ```

/// The float nearest to `value`, and the float nearest to what it lacks. Exact if both fit; a value past the largest
/// float becomes infinite, and beside an infinity or NaN stands a zero.
#[must_use]
#[allow(clippy::cast_possible_truncation, reason = "rounding to the nearest float is what it does")]
pub const fn split(value: f64) -> [f32; 2] {
    let high = value as f32;
    let low = if high.is_finite() { (value - high as f64) as f32 } else { 0.0 };
    [high, low]
}

/// The double that a pair stands for.
#[must_use]
pub const fn join([high, low]: [f32; 2]) -> f64 {
    high as f64 + low as f64
}
