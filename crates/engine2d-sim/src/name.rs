//! Comparison of names: upper and lower case, spaces, hyphens and underscores are not told apart.

/// The characters of a name in normal form: upper case, with underscores for spaces and hyphens.
fn normal(name: &str) -> impl Iterator<Item = char> + '_ {
    name.trim().chars().flat_map(char::to_uppercase).map(|c| if c == ' ' || c == '-' { '_' } else { c })
}

/// Whether two names have the same normal form.
#[must_use]
pub fn same(a: &str, b: &str) -> bool {
    normal(a).eq(normal(b))
}

/// A name in normal form: upper case with underscores.
#[must_use]
pub fn normalized(name: &str) -> String {
    normal(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_separators_do_not_matter() {
        assert!(same("left wheel", "LEFT_WHEEL"));
        assert!(same("pe-offset", "Pe Offset"));
        assert!(!same("wheel", "wheels"));
        assert_eq!(normalized("time step"), "TIME_STEP");
    }
}
