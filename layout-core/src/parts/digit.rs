/// `(y floordiv div) mod size`, a digit of `y` in a mixed radix: the one rule by which every layout splits.
///
/// Division rounds down and a remainder is never negative, even if `y` is, as in affine maps:
///
/// ```
/// use tensor_layout::parts::Digit;
/// let digit = Digit::<i64> { div: 8, size: Some(16) };
/// assert_eq!(digit.of(300), 5); // 300 = (2 * 16 + 5) * 8 + 4
/// assert_eq!(digit.of(-1), 15); // -1 = (-1 * 16 + 15) * 8 + 7
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Digit<N> {
    /// What the value is divided by.
    pub div: N,
    /// What the quotient is taken modulo; `None` for the most major digit, which is the whole quotient.
    pub size: Option<N>,
}

/// The rule for unsigned numbers, whose `/` and `%` are `floordiv` and `mod`, as an expression. The typed index functions
/// unroll it with constants: if they called [`Digit::of`], an array of four dimensions would take 22 instructions, not 19.
#[doc(hidden)]
#[macro_export]
macro_rules! floordiv_mod {
    ($y:expr, $div:expr) => {
        $y / $div
    };
    ($y:expr, $div:expr, $size:expr, $wrap:expr) => {{
        let quotient = $crate::floordiv_mod!($y, $div);
        if $wrap { quotient % $size } else { quotient }
    }};
}

impl Digit<usize> {
    /// The digit of `y`.
    #[inline(always)]
    pub const fn of(self, y: usize) -> usize {
        match self.size {
            Some(size) => floordiv_mod!(y, self.div, size, true),
            None => floordiv_mod!(y, self.div),
        }
    }
}

impl Digit<i64> {
    /// The value as a whole.
    pub const WHOLE: Self = Self { div: 1, size: None };

    /// Whether the digit is the value as a whole.
    pub const fn is_whole(&self) -> bool {
        self.div == 1 && self.size.is_none()
    }

    /// The digit of `y`.
    #[inline(always)]
    pub const fn of(self, y: i64) -> i64 {
        let quotient = if self.div == 1 { y } else { y.div_euclid(self.div) };
        match self.size {
            Some(size) => quotient.rem_euclid(size),
            None => quotient,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_put_the_value_together_again() {
        for y in -100i64..100 {
            for (div, size) in [(1i64, 4i64), (3, 5), (8, 2)] {
                let [rest, digit, last] = [
                    Digit { div: div * size, size: None },
                    Digit { div, size: Some(size) },
                    Digit { div: 1, size: Some(div) },
                ];
                assert!((0..size).contains(&digit.of(y)) && (0..div).contains(&last.of(y)));
                assert_eq!((rest.of(y) * size + digit.of(y)) * div + last.of(y), y);
                if let Ok(natural) = usize::try_from(y) {
                    let unsigned = Digit::<usize> { div: div as usize, size: Some(size as usize) };
                    assert_eq!(unsigned.of(natural) as i64, digit.of(y));
                }
            }
        }
    }
}
