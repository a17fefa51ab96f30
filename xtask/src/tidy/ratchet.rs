//! What may stay as it is: counts and lists that never grow.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Most lines of a file.
pub(super) const MOST_LINES: usize = 400;

/// What was counted, or what is allowed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Ratchet {
    /// Of each crate the circles of imports: files that reach each other.
    pub(super) circles: BTreeMap<String, BTreeSet<BTreeSet<String>>>,
    /// Of each crate the banned words in its names.
    pub(super) words: BTreeMap<String, BTreeMap<String, usize>>,
    /// Of each crate the small numbers without a name.
    pub(super) literals: BTreeMap<String, usize>,
    /// Files with too many lines, and how many they have.
    pub(super) long_files: BTreeMap<String, usize>,
}

impl Ratchet {
    /// What has been counted beyond what is allowed.
    pub(super) fn beyond(&self, allowed: &Self) -> Vec<String> {
        let mut faults = Vec::new();
        for (name, circles) in &self.circles {
            for circle in circles.iter().filter(|c| !allowed.has_circle(name, c)) {
                let files: Vec<&str> = circle.iter().map(String::as_str).collect();
                faults.push(format!("{name}: circle of imports: {}", files.join(", ")));
            }
        }
        for (name, words) in &self.words {
            for (word, count) in words {
                let limit = allowed.words.get(name).and_then(|w| w.get(word)).copied().unwrap_or(0);
                if *count > limit {
                    faults.push(format!("{name}: {count} names with {word:?}, {limit} at most"));
                }
            }
        }
        let mut compare =
            |what: &str, counts: &BTreeMap<String, usize>, limits: &BTreeMap<String, usize>, least| {
                for (name, count) in counts {
                    let limit = limits.get(name).copied().unwrap_or(least);
                    if *count > limit {
                        faults.push(format!("{name}: {count} {what}, {limit} at most"));
                    }
                }
            };
        compare("small numbers without a name", &self.literals, &allowed.literals, 0);
        compare("lines", &self.long_files, &allowed.long_files, MOST_LINES);
        faults
    }

    fn has_circle(&self, name: &str, circle: &BTreeSet<String>) -> bool {
        self.circles.get(name).is_some_and(|list| list.iter().any(|allowed| circle.is_subset(allowed)))
    }

    /// The lesser of what was counted and what is allowed.
    pub(super) fn tightened(&self, allowed: &Self) -> Self {
        let lesser = |counts: &BTreeMap<String, usize>, limits: &BTreeMap<String, usize>| {
            let kept = limits.iter().filter_map(|(k, limit)| Some((k.clone(), *counts.get(k)?.min(limit))));
            kept.collect::<BTreeMap<String, usize>>()
        };
        let no_words = BTreeMap::new();
        let words = allowed
            .words
            .iter()
            .map(|(name, limits)| (name.clone(), lesser(self.words.get(name).unwrap_or(&no_words), limits)));
        let circles = allowed.circles.keys().map(|name| {
            let found = self.circles.get(name).into_iter().flatten();
            (name.clone(), found.filter(|c| allowed.has_circle(name, c)).cloned().collect::<BTreeSet<_>>())
        });
        Self {
            circles: circles.filter(|(_, list)| !list.is_empty()).collect(),
            words: words.filter(|(_, counts)| !counts.is_empty()).collect(),
            literals: lesser(&self.literals, &allowed.literals),
            long_files: lesser(&self.long_files, &allowed.long_files),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratchet(circle: &[&str], spins: usize, numbers: usize, lines: usize) -> Ratchet {
        let circle: BTreeSet<String> = circle.iter().map(|s| (*s).to_owned()).collect();
        Ratchet {
            circles: [("a".to_owned(), BTreeSet::from([circle]))].into(),
            words: [("a".to_owned(), BTreeMap::from([("spin".to_owned(), spins)]))].into(),
            literals: [("a".to_owned(), numbers)].into(),
            long_files: [("a/src/x.rs".to_owned(), lines)].into(),
        }
    }

    #[test]
    fn what_shrinks_is_no_fault_and_what_grows_is() {
        let allowed = ratchet(&["x", "y", "z"], 3, 4, 500);
        assert!(allowed.beyond(&allowed).is_empty());
        let less = ratchet(&["x", "z"], 2, 1, 450);
        assert!(less.beyond(&allowed).is_empty());
        assert_eq!(less.tightened(&allowed), less);
        let more = ratchet(&["x", "y", "w"], 4, 5, 501);
        assert_eq!(more.beyond(&allowed).len(), 4);
        assert_eq!(more.beyond(&Ratchet::default()).len(), 4);
        // Blessing never allows more.
        let kept = more.tightened(&allowed);
        assert_eq!(
            (kept.words.clone(), kept.literals.clone()),
            (allowed.words.clone(), allowed.literals.clone())
        );
        assert!(kept.circles.is_empty() && kept.long_files == allowed.long_files);
        assert_eq!(Ratchet::default().tightened(&allowed), Ratchet::default());
    }
}
