//! Special functions, in double precision.

use core::f64::consts::PI;

/// The derivative of the logarithm of the gamma function.
pub(super) fn digamma(x: f64) -> f64 {
    if x <= 0.0 && x == x.floor() {
        return f64::NAN;
    }
    if x < 0.0 {
        // The reflection formula.
        return digamma(1.0 - x) - PI / (PI * x).tan();
    }
    // The recurrence leads to an argument for which the asymptotic series is precise.
    let (mut x, mut sum) = (x, 0.0);
    while x < 10.0 {
        sum -= 1.0 / x;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let mut power = 1.0;
    for (at, number) in BERNOULLI.iter().enumerate() {
        power *= square;
        sum -= number * power / (2 * at + 2) as f64;
    }
    sum + x.ln() - 0.5 / x
}

/// The Bernoulli numbers 2, 4, 6 and so on.
const BERNOULLI: [f64; 8] = [
    1.0 / 6.0,
    -1.0 / 30.0,
    1.0 / 42.0,
    -1.0 / 30.0,
    5.0 / 66.0,
    -691.0 / 2730.0,
    7.0 / 6.0,
    -3617.0 / 510.0,
];

/// The Hurwitz zeta function, the sum of `(q + k)^-x`, by the formula of Euler and Maclaurin. Where the sum does not exist, the
/// result is that of XLA.
pub(super) fn zeta(x: f64, q: f64) -> f64 {
    if x == 1.0 {
        return f64::INFINITY;
    }
    if x.is_nan() || q.is_nan() || x < 1.0 {
        return f64::NAN;
    }
    if q <= 0.0 {
        match () {
            () if q == q.floor() => return f64::INFINITY,
            () if x != x.floor() => return f64::NAN,
            () => {}
        }
    }
    let (mut q, mut sum) = (q, 0.0);
    for _ in 0..12 {
        sum += q.powf(-x);
        q += 1.0;
    }
    let mut power = q.powf(-x);
    sum += power * q / (x - 1.0) + power / 2.0;
    // `power` is x (x + 1) .. (x + 2 j) q^-(x + 2 j + 1) / (2 j + 2)!.
    power *= x / (2.0 * q);
    for (at, number) in BERNOULLI.iter().enumerate() {
        sum += number * power;
        let [rise, fall] = [x + (2 * at) as f64, (2 * at + 3) as f64];
        power *= (rise + 1.0) * (rise + 2.0) / (fall * (fall + 1.0) * q * q);
    }
    sum
}

/// Derivative `order` of the function [`digamma`].
pub(super) fn polygamma(order: f64, x: f64) -> f64 {
    match order {
        0.0 => digamma(x),
        order if order < 0.0 || order != order.floor() => f64::NAN,
        order => {
            let sign = if order % 2.0 == 0.0 { -1.0 } else { 1.0 };
            sign * libm::tgamma(order + 1.0) * zeta(order + 1.0, x)
        }
    }
}

/// `exp(-|x|)` times the modified Bessel function of order 1.
pub(super) fn bessel_i1e(x: f64) -> f64 {
    const POINTS: u32 = 64;
    let size = x.abs();
    let made = if size < 30.0 {
        // The mean of exp(x cos t) cos t over equally spaced points of half a period, which converges exponentially; two points
        // whose cosines differ only in their signs are added at a time, so that small numbers are precise.
        let of = |at: u32| {
            let cosine = (PI * (f64::from(at) + 0.5) / f64::from(POINTS)).cos();
            (-size * (cosine + 1.0)).exp() * (2.0 * size * cosine).exp_m1() * cosine
        };
        (0..POINTS / 2).map(of).sum::<f64>() / f64::from(POINTS)
    } else {
        // The asymptotic series.
        let (mut term, mut sum) = (1.0, 1.0);
        for k in 1..16 {
            let odd = f64::from(2 * k - 1);
            term *= (odd * odd - 4.0) / (f64::from(k) * 8.0 * size);
            sum += term;
        }
        // Two roots, because twice the largest numbers overflow.
        sum / ((2.0 * PI).sqrt() * size.sqrt())
    };
    made.copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of scipy.special.
    #[test]
    fn known_values() {
        for (found, expected) in [
            (digamma(0.5), -1.963_510_026_021_423_5),
            (digamma(-2.25), 4.158_583_564_657_972),
            (digamma(123.0), 4.808_113_806_573_255),
            (zeta(2.0, 1.0), 1.644_934_066_848_226_6),
            (zeta(3.5, 0.25), 128.546_958_964_284_33),
            (zeta(1.5, 5.0), 0.941_371_868_362_339_3),
            (polygamma(1.0, 0.75), 2.541_879_647_671_607),
            (polygamma(2.0, 3.0), -0.154_113_806_319_188_56),
            (bessel_i1e(2.5), 0.206_584_649_531_266_54),
            (bessel_i1e(-40.0), -0.062_482_229_074_442_06),
            (bessel_i1e(f64::MAX), 2.975_447_459_315_900_3e-155),
        ] {
            let error = (found - expected).abs();
            assert!(error <= 1e-12 * expected.abs(), "{found}, not {expected}");
        }
        assert!(digamma(-3.0).is_nan() && zeta(0.5, 1.0).is_nan() && bessel_i1e(f64::NAN).is_nan());
        assert_eq!(zeta(1.0, 2.0), f64::INFINITY);
    }
}
