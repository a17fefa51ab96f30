//! Lists put in order: for processors by the library's sorts, for browsers by one that is small. A sort of the library is five kilobytes
//! for each type that is sorted, which is a thirteenth of what a page has to load; the small one is written once, for all.
//!
//! Both ways come to the same list: what is equal either keeps its order, or cannot be told apart.
//!
//! ```
//! use engine2d_math::order::Order;
//!
//! let mut list = [(2, 'b'), (1, 'c'), (2, 'a')];
//! list.order_by(|(a, _), (b, _)| a.cmp(b));
//! assert_eq!(list, [(1, 'c'), (2, 'b'), (2, 'a')]);
//! list.order();
//! assert_eq!(list, [(1, 'c'), (2, 'a'), (2, 'b')]);
//! ```

use std::cmp::Ordering;

/// Whether size counts more than speed.
const SMALL: bool = cfg!(target_arch = "wasm32");

/// Places that are put in order by insertion, before such runs are merged.
const RUN: usize = 8;

/// A list that can be put in order.
pub trait Order<T> {
    /// In the order of the type, in which what is equal cannot be told apart.
    fn order(&mut self)
    where
        T: Ord;

    /// In the order of a comparison; what is equal keeps its order.
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// In the order of a comparison that finds no two equal. Takes no memory but in browsers.
    fn order_distinct_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// In the order of a key; what is equal keeps its order.
    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|a, b| key(a).cmp(&key(b)));
    }

    /// In the order of a key that no two share. Takes no memory but in browsers.
    fn order_distinct_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_distinct_by(|a, b| key(a).cmp(&key(b)));
    }
}

impl<T> Order<T> for [T] {
    fn order(&mut self)
    where
        T: Ord,
    {
        if SMALL { in_small(self, T::cmp) } else { self.sort_unstable() }
    }

    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering) {
        if SMALL { in_small(self, compare) } else { self.sort_by(compare) }
    }

    fn order_distinct_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        if SMALL {
            in_small(self, &mut compare)
        } else {
            self.sort_unstable_by(&mut compare)
        }
        debug_assert!(self.is_sorted_by(|a, b| compare(a, b) == Ordering::Less), "two are equal");
    }
}

/// The same for every type: only what compares two and what exchanges two is compiled for each.
fn in_small<T>(list: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut places = places(list.len(), &mut |i, j| compare(&list[i], &list[j]) == Ordering::Greater);
    bring(&mut places, &mut |i, j| list.swap(i, j));
}

/// Where what belongs at each place is now; nothing if all is in order.
fn places(count: usize, comes_after: &mut dyn FnMut(usize, usize) -> bool) -> Vec<usize> {
    if (1..count).all(|k| !comes_after(k - 1, k)) {
        return Vec::new();
    }
    let mut places: Vec<usize> = (0..count).collect();
    for run in places.chunks_mut(RUN) {
        for end in 1..run.len() {
            let mut k = end;
            while k > 0 && comes_after(run[k - 1], run[k]) {
                run.swap(k - 1, k);
                k -= 1;
            }
        }
    }
    let (mut merged, mut width) = (places.clone(), RUN);
    while width < count {
        for start in (0..count).step_by(2 * width) {
            let (middle, end) = ((start + width).min(count), (start + 2 * width).min(count));
            let (mut left, mut right) = (start, middle);
            for place in &mut merged[start..end] {
                let from_right = left == middle || (right < end && comes_after(places[left], places[right]));
                let next = if from_right { &mut right } else { &mut left };
                *place = places[*next];
                *next += 1;
            }
        }
        std::mem::swap(&mut places, &mut merged);
        width *= 2;
    }
    places
}

/// Brings everything to its place, circle by circle.
fn bring(places: &mut [usize], exchange: &mut dyn FnMut(usize, usize)) {
    for start in 0..places.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut places[at], at);
            if from == start || from == at {
                break;
            }
            exchange(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Lcg32;

    #[test]
    fn the_small_way_comes_to_the_same_list() {
        let mut random = Lcg32::new(7);
        for count in (0..40).chain([64, 65, 100, 257, 1000]) {
            for most in [1.0, 3.0, 10.0, 1e6] {
                let list: Vec<(u32, usize)> =
                    (0..count).map(|k| ((random.next_unit() * most) as u32, k)).collect();
                let (mut small, mut stable) = (list.clone(), list.clone());
                in_small(&mut small, |a, b| a.0.cmp(&b.0));
                stable.sort_by_key(|entry| entry.0);
                assert_eq!(small, stable, "{count} of {most}");
                in_small(&mut small, |a, b| b.cmp(a));
                stable.sort_unstable_by(|a, b| b.cmp(a));
                assert_eq!(small, stable, "{count} of {most}, backwards");
            }
        }
    }

    #[test]
    fn texts_are_exchanged_as_numbers_are() {
        let mut list: Vec<String> = ["c", "a", "", "b", "a"].map(str::to_owned).into();
        in_small(&mut list, String::cmp);
        assert_eq!(list, ["", "a", "a", "b", "c"]);
    }
}
