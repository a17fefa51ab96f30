//! Small numbers in code that have no name: tolerances that nobody explains.

use super::ratchet::Ratchet;
use super::source::Package;

/// Counts the small numbers of a crate outside of constants.
pub(super) fn count(package: &Package, counted: &mut Ratchet) {
    let files = package.files.iter().filter(|f| f.is_source());
    let total: usize = files.map(|f| small_numbers(&f.code)).sum();
    if total > 0 {
        counted.literals.insert(package.name.clone(), total);
    }
}

/// Numbers below a hundredth, zero left out, in items other than constants.
fn small_numbers(code: &str) -> usize {
    let mut count = 0;
    let mut in_constant = false;
    for line in code.lines() {
        let start = line.trim_start();
        let start = start.strip_prefix("pub(crate) ").or_else(|| start.strip_prefix("pub ")).unwrap_or(start);
        let start = start.strip_prefix("pub(super) ").unwrap_or(start);
        let begins =
            (start.starts_with("const ") || start.starts_with("static ")) && !start.starts_with("const fn");
        in_constant |= begins;
        if !in_constant {
            count += numbers(line).filter(|x| *x != 0.0 && x.abs() < 0.01).count();
        }
        in_constant &= !line.trim_end().ends_with(';');
    }
    count
}

/// The floating-point literals of a line.
fn numbers(line: &str) -> impl Iterator<Item = f64> + '_ {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut rest = line;
    std::iter::from_fn(move || {
        loop {
            let start = rest.find(|c: char| is_part(c))?;
            let tail = &rest[start..];
            let mut end = tail.find(|c: char| !is_part(c)).unwrap_or(tail.len());
            // The sign of an exponent belongs to the number.
            let is_number = tail.starts_with(|c: char| c.is_ascii_digit());
            if is_number && tail[..end].ends_with(['e', 'E']) && tail[end..].starts_with(['-', '+']) {
                let digits = &tail[end + 1..];
                end += 1 + digits.find(|c: char| !is_part(c)).unwrap_or(digits.len());
            }
            rest = &tail[end..];
            let text: String = tail[..end].chars().filter(|c| *c != '_').collect();
            let is_float = is_number && text.contains(['.', 'e']);
            if let (true, Ok(number)) = (is_float, text.trim_end_matches("f64").parse()) {
                return Some(number);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_count_outside_of_constants() {
        assert_eq!(small_numbers("let x = 1e-9; y(0.001_f64, 0.5, 0.0, 1e9, 3)"), 2);
        assert_eq!(
            small_numbers(
                "const A: f64 = 1e-9;\npub(super) const B: [f64; 2] = [\n1e-3,\n2e-3\n];\nlet c = 1e-3;"
            ),
            1
        );
        assert_eq!(small_numbers("a1.e2(x.0, 7e-1, 1.0e-4)"), 1);
    }
}
