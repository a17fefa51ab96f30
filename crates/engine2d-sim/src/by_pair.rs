//! Values by pairs of names.

/// Values by two names in either order: a sorted list, because there are few and they are looked up far more often than set.
#[derive(Clone, PartialEq)]
pub(crate) struct ByPair<T>(Vec<([String; 2], T)>);

impl<T> Default for ByPair<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: std::fmt::Debug> std::fmt::Debug for ByPair<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<T> ByPair<T> {
    /// Adds or replaces the value of a pair.
    pub(crate) fn set(&mut self, a: &str, b: &str, value: T) {
        match self.place(a, b) {
            Ok(place) => self.0[place].1 = value,
            Err(place) => {
                let names: [&str; 2] = ordered(a, b).into();
                self.0.insert(place, (names.map(str::to_owned), value));
            }
        }
    }

    /// The value of a pair. Collisions look it up, so nothing is allocated.
    pub(crate) fn get(&self, a: &str, b: &str) -> Option<&T> {
        Some(&self.0[self.place(a, b).ok()?].1)
    }

    /// All pairs in the order of their names, the lower one first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = ([&str; 2], &T)> {
        self.0.iter().map(|([a, b], value)| ([a.as_str(), b.as_str()], value))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Where a pair is, or would be.
    fn place(&self, a: &str, b: &str) -> Result<usize, usize> {
        let names = ordered(a, b);
        self.0.binary_search_by(|([a, b], _)| (a.as_str(), b.as_str()).cmp(&names))
    }
}

fn ordered<'a>(a: &'a str, b: &'a str) -> (&'a str, &'a str) {
    if a <= b { (a, b) } else { (b, a) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_found_in_either_order_and_listed_by_name() {
        let mut pairs = ByPair::default();
        for (a, b, value) in [("wood", "ice", 1), ("ice", "ice", 2), ("a", "wood", 3), ("ice", "wood", 4)] {
            pairs.set(a, b, value);
        }
        assert_eq!((pairs.get("ice", "wood"), pairs.get("wood", "ice")), (Some(&4), Some(&4)));
        assert_eq!(pairs.get("wood", "wood"), None);
        let listed: Vec<_> = pairs.iter().collect();
        assert_eq!(listed, [(["a", "wood"], &3), (["ice", "ice"], &2), (["ice", "wood"], &4)]);
    }
}
