//! Numbers with few significant digits.

/// Largest power of ten that a number holds exactly.
const EXACT_POWER: i32 = 22;

/// Most significant digits of a whole number whose neighbouring halves are told apart.
const MOST_DIGITS: usize = 12;

/// How close to a half the part behind the point may come so that the error of one product, half a unit in the last place of a
/// number below `10^12`, cannot turn it round: 6.1e-5, with room.
const HALF: f64 = 1e-3;

/// The number with `digits` significant digits, as writing it with so many and reading it again gives, in a tenth of the time.
///
/// With `10^k` exact, `x · 10^k` rounded to a whole number is the same whole number as of the exact product unless that lies next to a
/// half, and a whole number divided by `10^k` is rounded once, as reading its decimals is.
pub(crate) fn rounded(value: f64, digits: usize) -> f64 {
    let written = || format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value);
    if value == 0.0 {
        return value;
    }
    if digits == 0 || digits > MOST_DIGITS {
        return written();
    }
    let wanted = digits as i32 - 1;
    let power = wanted - value.abs().log10().floor() as i32;
    // The logarithm of a number next to a power of ten may be one off.
    for power in [power, power + 1, power - 1] {
        if power.abs() > EXACT_POWER {
            continue;
        }
        let scale = 10f64.powi(power.abs());
        let whole = if power < 0 { value / scale } else { value * scale };
        let size = whole.abs();
        if !(10f64.powi(wanted)..10f64.powi(wanted + 1)).contains(&size) || (size.fract() - 0.5).abs() < HALF
        {
            continue;
        }
        let whole = whole.round();
        return if power < 0 { whole * scale } else { whole / scale };
    }
    written()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_text(value: f64, digits: usize) -> f64 {
        format!("{value:.*e}", digits - 1).parse().unwrap_or(value)
    }

    #[test]
    fn digits_are_those_of_the_text() {
        let mut seed = 1_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed >> 11
        };
        for k in 0..400_000 {
            let mantissa = next() as f64 / (1_u64 << 53) as f64;
            let value = match k % 4 {
                // Any number there is.
                0 => f64::from_bits(next() << 11 | next() & 2047),
                1 => (mantissa - 0.5) * 1e3,
                // Next to halves and to powers of ten.
                2 => ((mantissa * 1e6).floor() + 0.5) / 1e4 * (1.0 + (next() % 5) as f64 * f64::EPSILON),
                _ => 10f64.powi((next() % 40) as i32 - 20) * (1.0 - (next() % 5) as f64 * f64::EPSILON),
            };
            for digits in [1, 2, 6, 12, 15] {
                let (own, text) = (rounded(value, digits), by_text(value, digits));
                assert!(
                    own.to_bits() == text.to_bits() || own.is_nan() && text.is_nan(),
                    "{value:e} with {digits}: {own:e}, {text:e}"
                );
            }
        }
        for value in [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE, f64::MAX, 5e-324] {
            assert_eq!(rounded(value, 6).to_bits(), by_text(value, 6).to_bits(), "{value:e}");
        }
    }
}
