//! `multipleOf`: which numbers are multiples of a step.

use serde_json::Number;

/// The smallest step that decoders look at: below, doubles lose their digits.
const SMALLEST: f64 = 1e-290;

/// The part of a quotient that may be missing to a whole one: a double has 53 bits, of which the
/// number, the step and the division may each be wrong in the last one.
const TOLERANCE: f64 = f64::EPSILON * 2.0;

/// Tells whether a number may be a multiple of a step, as far as doubles tell: `0.3` is one of
/// `0.1`. A multiple is never refused; what is nearer to one than doubles tell is taken for it.
pub(crate) fn is_multiple_of(number: f64, step: f64) -> bool {
    let quotient = number / step;
    !quotient.is_finite() || (quotient - quotient.round()).abs() <= quotient.abs() * TOLERANCE
}

/// Tells whether a number of a schema is a multiple of another: exactly, where both are whole.
pub(crate) fn is_multiple(number: &Number, step: &Number) -> bool {
    if let (Some(number), Some(step)) = (number.as_i128(), step.as_i128()) {
        return step != 0 && number % step == 0;
    }
    let (number, step) = (number.as_f64(), step.as_f64());
    number.zip(step).is_none_or(|(number, step)| is_multiple_of(number, step))
}

/// The step as decoders of numbers look at it. `None` for one that is too small.
pub(crate) fn real_step(step: &Number) -> Option<f64> {
    step.as_f64().filter(|step| *step >= SMALLEST)
}

/// The step of those multiples that are whole: 5 for 2.5, 1 for 0.1. `None` for one that no
/// signed number of 64 bits holds.
pub(crate) fn whole_step(step: &Number) -> Option<u64> {
    let text = step.to_string();
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut value: u128 = format!("{whole}{fraction}").parse().ok()?;
    let exponent: i64 = exponent.trim_start_matches('+').parse().ok()?;
    let places = i64::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
    // A step of so many digits after the point is a fraction in lowest terms only without the
    // factors that it shares with the power of ten below.
    for factor in [2, 5] {
        let mut left = places.max(0);
        while left > 0 && value.is_multiple_of(factor) && value > 0 {
            (value, left) = (value / factor, left - 1);
        }
    }
    for _ in places.min(0)..0 {
        value = value.checked_mul(10).filter(|value| *value <= i64::MAX.unsigned_abs().into())?;
    }
    u64::try_from(value).ok().filter(|value| (1..=i64::MAX.unsigned_abs()).contains(value))
}

#[cfg(test)]
mod tests {
    use super::{is_multiple_of, whole_step};

    #[test]
    fn a_multiple_is_never_refused() {
        for (number, step) in [
            (0.3, 0.1),
            (0.7, 0.1),
            (1.1, 0.1),
            (4.35, 0.01),
            (19.99, 0.01),
            (1e308, 0.1),
            (-0.0, 3.0),
            (12_345_678_901_234_567_893.0, 3.0),
            (0.000_3, 0.000_1),
            (1e300, 1e-290),
        ] {
            assert!(is_multiple_of(number, step), "{number} {step}");
        }
        for thousandth in 0..200_000 {
            assert!(is_multiple_of(f64::from(thousandth) / 1000.0, 0.001), "{thousandth}");
        }
        for (number, step) in
            [(0.35, 0.1), (1.5, 1.0), (7.0, 2.0), (0.001, 0.01), (1_000_000.01, 0.1)]
        {
            assert!(!is_multiple_of(number, step), "{number} {step}");
        }
    }

    #[test]
    fn whole_multiples_of_a_fraction_have_a_step() {
        for (text, expected) in [
            ("5", Some(5)),
            ("5.0", Some(5)),
            ("2.5", Some(5)),
            ("0.1", Some(1)),
            ("0.75", Some(3)),
            ("1.2", Some(6)),
            ("1e3", Some(1000)),
            ("1e-3", Some(1)),
            ("1e300", None),
            ("9223372036854775808", None),
        ] {
            let step = serde_json::from_str(text).unwrap();
            assert_eq!(whole_step(&step), expected, "{text}");
        }
    }
}
