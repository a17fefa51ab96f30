//! Words that have a better one: the table of `docs/notation.md` under "Words".

use super::ratchet::Ratchet;
use super::source::Package;
use crate::TaskError;

/// The heading of the table.
const HEADING: &str = "## Words";

/// The words that are not to be used, from the second column of the table.
pub(super) fn banned(notation: &str) -> Result<Vec<String>, TaskError> {
    let table = notation.split_once(HEADING).ok_or("docs/notation.md has no table of words")?.1;
    let rows = table.lines().take_while(|l| !l.starts_with("## ")).filter(|l| l.starts_with('|')).skip(2);
    let words: Vec<String> = rows
        .filter_map(|row| row.split('|').nth(2))
        .flat_map(|cell| cell.split(','))
        .map(|word| word.trim().trim_matches('`').to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() { Err("the table of words is empty".into()) } else { Ok(words) }
}

/// Counts the banned words in the names of a crate.
pub(super) fn count(package: &Package, banned: &[String], counted: &mut Ratchet) {
    for file in package.files.iter().filter(|f| f.is_source()) {
        for word in parts(&file.code).filter(|word| banned.contains(word)) {
            *counted.words.entry(package.name.clone()).or_default().entry(word).or_default() += 1;
        }
    }
}

/// The words that the names in code consist of, in lower case: `restSpeed`, `REST_SPEED` and `rest_speed` have two.
fn parts(code: &str) -> impl Iterator<Item = String> + '_ {
    code.split(|c: char| !c.is_alphanumeric()).flat_map(|name| {
        let mut words: Vec<String> = Vec::new();
        let mut was_lower = false;
        for c in name.chars() {
            match words.last_mut() {
                Some(word) if !(c.is_uppercase() && was_lower) => word.extend(c.to_lowercase()),
                _ => words.push(c.to_lowercase().collect()),
            }
            was_lower = c.is_lowercase();
        }
        words
    })
}

#[cfg(test)]
mod tests {
    use super::super::source::File;
    use super::*;

    #[test]
    fn names_with_banned_words_count() {
        let notation = "# N\n## Words\n\n| word | not |\n|---|---|\n| angular velocity | `spin`, Twirl |\n| x | helper |\n\n## More\n| a | b |\n";
        let banned = banned(notation).unwrap();
        assert_eq!(banned, ["spin", "twirl", "helper"]);
        let text = "struct SpinLimit; fn max_spin(s: SPIN) { // spin\n spinning() } mod helper;";
        let package = Package {
            name: "x".to_owned(),
            manifest: String::new(),
            files: vec![File::new("src/a.rs", text)],
        };
        let mut counted = Ratchet::default();
        count(&package, &banned, &mut counted);
        let words: Vec<_> = counted.words["x"].iter().map(|(w, n)| (w.as_str(), *n)).collect();
        assert_eq!(words, [("helper", 1), ("spin", 3)]);
        assert!(super::banned("no table").is_err());
    }
}
