//! Numbers written as formulas of variables: `"=2*h + i"`.
//!
//! Sums, products, powers (`^`), remainders (`%`), brackets, `pi`, and the functions `sin`, `cos`, `sqrt`, `abs` and
//! `floor`.

use crate::suggestion;
use engine2d_math::trig;
use std::collections::BTreeMap;
use std::f64::consts::PI;

/// Numbers by name.
pub(crate) type Variables = BTreeMap<String, f64>;

/// Deepest nesting of brackets and signs.
const DEEPEST: u32 = 100;

/// The value of a formula, or what is wrong with it.
pub(crate) fn value(text: &str, variables: &Variables) -> Result<f64, String> {
    let mut formula = Formula { rest: text.trim_start(), variables, depth: 0 };
    let value = formula.sum()?;
    match formula.rest.chars().next() {
        Some(c) => Err(format!("{c:?} is not expected here")),
        None if value.is_finite() => Ok(value),
        None => Err(format!("its value, {value:?}, is not finite")),
    }
}

/// What is left of a formula's text.
struct Formula<'a> {
    rest: &'a str,
    variables: &'a Variables,
    depth: u32,
}

impl Formula<'_> {
    /// Takes a character if it comes next.
    fn takes(&mut self, c: char) -> bool {
        let Some(rest) = self.rest.strip_prefix(c) else { return false };
        self.rest = rest.trim_start();
        true
    }

    fn sum(&mut self) -> Result<f64, String> {
        let mut value = self.product()?;
        loop {
            if self.takes('+') {
                value += self.product()?;
            } else if self.takes('-') {
                value -= self.product()?;
            } else {
                return Ok(value);
            }
        }
    }

    fn product(&mut self) -> Result<f64, String> {
        let mut value = self.signed()?;
        loop {
            if self.takes('*') {
                value *= self.signed()?;
            } else if self.takes('/') {
                value /= self.signed()?;
            } else if self.takes('%') {
                value = value.rem_euclid(self.signed()?);
            } else {
                return Ok(value);
            }
        }
    }

    fn signed(&mut self) -> Result<f64, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(format!("it is nested deeper than {DEEPEST}"));
        }
        let value = if self.takes('-') { -self.signed()? } else { self.power()? };
        self.depth -= 1;
        Ok(value)
    }

    fn power(&mut self) -> Result<f64, String> {
        let base = self.atom()?;
        if self.takes('^') { Ok(trig::pow(base, self.signed()?)) } else { Ok(base) }
    }

    fn atom(&mut self) -> Result<f64, String> {
        if self.takes('(') {
            return self.bracket();
        }
        let digits = number_length(self.rest);
        if digits > 0 {
            let text = self.take(digits);
            return text.parse().map_err(|_| format!("{text} is not a number"));
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let length = self.rest.find(|c: char| !is_part(c)).unwrap_or(self.rest.len());
        if length == 0 {
            return Err(match self.rest.chars().next() {
                Some(c) => format!("a number or a name is expected, not {c:?}"),
                None => "a number or a name is expected at the end".to_owned(),
            });
        }
        let name = self.take(length).to_owned();
        if self.takes('(') {
            let of = self.bracket()?;
            return function(&name, of);
        }
        match self.variables.get(&name) {
            Some(value) => Ok(*value),
            None if name == "pi" => Ok(PI),
            None => Err(unknown("variable", &name, self.variables.keys().map(String::as_str))),
        }
    }

    fn bracket(&mut self) -> Result<f64, String> {
        let value = self.sum()?;
        if self.takes(')') { Ok(value) } else { Err("a bracket is not closed".to_owned()) }
    }

    fn take(&mut self, length: usize) -> &str {
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest.trim_start();
        word
    }
}

/// Length of the number at the beginning of a text, 0 if there is none.
fn number_length(text: &str) -> usize {
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return 0;
    }
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() {
        let after_exponent = end > 0 && matches!(bytes[end - 1], b'e' | b'E');
        let fits = match bytes[end] {
            b'0'..=b'9' | b'.' => true,
            b'e' | b'E' => true,
            b'+' | b'-' => after_exponent,
            _ => false,
        };
        if !fits {
            break;
        }
        end += 1;
    }
    end
}

fn function(name: &str, of: f64) -> Result<f64, String> {
    Ok(match name {
        "sin" => trig::sin_cos(of).0,
        "cos" => trig::sin_cos(of).1,
        "sqrt" => of.sqrt(),
        "abs" => of.abs(),
        "floor" => of.floor(),
        _ => return Err(unknown("function", name, ["sin", "cos", "sqrt", "abs", "floor"].into_iter())),
    })
}

fn unknown<'w>(what: &str, name: &str, known: impl Iterator<Item = &'w str> + Clone) -> String {
    match suggestion::nearest(name, known.clone()) {
        Some(near) => format!("no {what} is named {name:?}; did you mean {near:?}?"),
        None => {
            let known: Vec<&str> = known.collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            format!("no {what} is named {name:?} (known: {known})")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<f64, String> {
        value(text, &[("h".to_owned(), 0.5), ("i".to_owned(), 3.0)].into_iter().collect())
    }

    #[test]
    fn formulas_have_the_usual_values() {
        let cases = [
            ("2*h + i", 4.0),
            ("-(i - 1)^2", -4.0),
            ("2^-1", 0.5),
            ("1e-3 * 2.5E+3", 2.5),
            ("i % 2 + floor(i/2)", 2.0),
            ("10 - 4 - 3", 3.0),
            ("sqrt(16) / abs(-2)", 2.0),
            ("cos(pi)", -1.0),
        ];
        for (text, expected) in cases {
            assert!((of(text).unwrap() - expected).abs() < 1e-15, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_told() {
        assert_eq!(of("x + 1").unwrap_err(), "no variable is named \"x\" (known: h, i)");
        assert_eq!(of("sqr(2)").unwrap_err(), "no function is named \"sqr\"; did you mean \"sqrt\"?");
        assert_eq!(of("(1 + 2").unwrap_err(), "a bracket is not closed");
        assert_eq!(of("1 2").unwrap_err(), "'2' is not expected here");
        assert_eq!(of("3 *").unwrap_err(), "a number or a name is expected at the end");
        assert_eq!(of("1/0").unwrap_err(), "its value, inf, is not finite");
        assert!(of(&"(".repeat(10_000)).is_err() && of(&"-".repeat(10_000)).is_err());
    }
}
