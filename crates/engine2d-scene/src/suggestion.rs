//! "Did you mean": the known name most like a mistyped one.

/// The candidate nearest to `name` in single-character edits, if at most a third of it differs.
#[must_use]
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest_of(name, &mut candidates.into_iter())
}

fn nearest_of(name: &str, candidates: &mut dyn Iterator<Item = &str>) -> Option<String> {
    let length = name.chars().count();
    let limit = (length / 3).max(1);
    candidates
        .filter(|candidate| candidate.chars().count().abs_diff(length) <= limit)
        .map(|candidate| (edits(name, candidate), candidate))
        .filter(|&(distance, candidate)| distance <= limit && distance < candidate.chars().count())
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate.to_owned())
}

/// Single-character insertions, deletions, replacements and swaps of neighbours, ignoring case.
fn edits(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|word| word.to_lowercase().chars().collect::<Vec<char>>());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_slip_finds_its_name() {
        let names = ["rod", "rope", "elasticity"];
        assert_eq!(nearest("rodd", names), Some("rod".to_owned()));
        assert_eq!(nearest("elastisity", names), Some("elasticity".to_owned()));
        assert_eq!(nearest("Rope", names), Some("rope".to_owned()));
        assert_eq!(nearest("gravity", names), None);
        assert_eq!(nearest("", names), None);
    }

    #[test]
    fn edits_are_counted() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("abc", ""), 3);
        assert_eq!(edits("angel", "angle"), 1);
    }
}
