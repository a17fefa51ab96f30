//! Licences of packages, as SPDX expressions.

/// Licences under which what we build may be handed on with ours: permissive ones.
const PERMISSIVE: [&str; 12] = [
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Whether a licence can be taken: of alternatives one has to be permissive, of what holds together all. `OR` binds less than `AND`, a
/// slash is an old `OR`. What cannot be read does not fit.
pub(super) fn fits(expression: &str) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let mut words = spaced.split_whitespace().peekable();
    either(&mut words) == Some(true) && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn either(words: &mut Words<'_>) -> Option<bool> {
    let mut fits = both(words)?;
    while words.next_if_eq(&"OR").is_some() {
        fits |= both(words)?;
    }
    Some(fits)
}

fn both(words: &mut Words<'_>) -> Option<bool> {
    let mut fits = one(words)?;
    while words.next_if_eq(&"AND").is_some() {
        fits &= one(words)?;
    }
    Some(fits)
}

fn one(words: &mut Words<'_>) -> Option<bool> {
    match words.next()? {
        "(" => {
            let inner = either(words)?;
            (words.next()? == ")").then_some(inner)
        }
        name => {
            let mut name = name.to_owned();
            if words.next_if_eq(&"WITH").is_some() {
                name = format!("{name} WITH {}", words.next()?);
            }
            Some(PERMISSIVE.contains(&name.as_str()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_alternatives_and_all_that_hold_together_have_to_fit() {
        let fit = [
            "MIT",
            "MIT OR Apache-2.0 OR LGPL-2.1-or-later",
            "MIT/Apache-2.0",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
            "GPL-3.0-only OR MIT AND Zlib",
        ];
        for expression in fit {
            assert!(fits(expression), "{expression}");
        }
        let not = [
            "",
            "GPL-3.0-only",
            "MIT AND GPL-3.0-only",
            "MPL-2.0 WITH LLVM-exception",
            "(MIT",
            "MIT)",
            "MIT AND",
            "MIT OR",
        ];
        for expression in not {
            assert!(!fits(expression), "{expression}");
        }
    }
}
