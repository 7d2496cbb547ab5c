//! Rounding to floats of 8 bits.

use microfloat::f8e4m3fn;

/// The nearest `f8e4m3fn`, with ties to even; NaN if it would be larger than the largest one, 448.
///
/// With one more bit pattern, the next one would be 480, so 464 is a tie, and 448 is even. `f8e4m3fn::from_f32` makes it a NaN; XLA and
/// `ml_dtypes` do not.
pub(crate) fn narrow_f8e4m3fn(x: f32) -> f8e4m3fn {
    const TIE: f32 = 464.0;
    const LARGEST: f32 = 448.0;
    let x = if x.abs() == TIE { LARGEST.copysign(x) } else { x };
    f8e4m3fn::from_f32(x)
}

#[cfg(test)]
mod tests {
    use super::narrow_f8e4m3fn;

    /// Each number between two that `f8e4m3fn` has, or would have with 480, and those next to it.
    #[test]
    fn ties_are_rounded_to_even() {
        let number = |bits: u8| microfloat::f8e4m3fn::from_bits(bits).to_f32();
        for bits in 0..0x7F_u8 {
            let (below, above) =
                (number(bits), if bits == 0x7E { 480.0 } else { number(bits + 1) });
            let tie = f32::midpoint(below, above);
            let nearest = |x: f32, expected: f32| {
                for (x, expected) in [(x, expected), (-x, -expected)] {
                    let found = narrow_f8e4m3fn(x).to_f32();
                    assert!(
                        found == expected || found.is_nan() && expected.abs() > 448.0,
                        "{x} is {found}"
                    );
                }
            };
            nearest(tie, if bits.is_multiple_of(2) { below } else { above });
            nearest(tie.next_down(), below);
            nearest(tie.next_up(), above);
        }
    }
}
