//! Tests of the factorization and its updates.

use super::*;
use crate::random::Lcg32;

/// A matrix of groups of one to three rows on a ring with some chords, diagonally heavy; its groups and its links.
fn example(groups: usize, rng: &mut Lcg32) -> (Vec<usize>, Vec<(usize, usize)>, Vec<f64>) {
    let mut group: Vec<usize> = (0..groups).flat_map(|g| std::iter::repeat_n(g, 1 + g % 3)).collect();
    group.rotate_left(groups / 2);
    let links: Vec<(usize, usize)> = (0..groups)
        .map(|g| (g, (g + 1) % groups))
        .chain([(0, groups / 2), (groups - 1, groups / 3)])
        .collect();
    let n = group.len();
    let linked = |a: usize, b: usize| a == b || links.contains(&(a, b)) || links.contains(&(b, a));
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            if linked(group[i], group[j]) {
                a[i * n + j] = rng.next_unit() - 0.5 + if i == j { 6.0 } else { 0.0 };
            }
        }
    }
    (group, links, a)
}

#[test]
fn systems_of_one_pattern_are_solved_one_after_the_other() {
    let mut rng = Lcg32::new(8);
    let mut lu = SparseLu::default();
    for groups in [1, 2, 5, 30, 90] {
        let (group, links, a) = example(groups, &mut rng);
        let n = group.len();
        lu.analyse(&group, |link| links.iter().for_each(|&(a, b)| link(a, b)));
        for scale in [1.0, -3.0] {
            assert!(lu.factor(|i, row| (0..n).for_each(|j| {
                if a[i * n + j] != 0.0 {
                    row.add(j, scale * a[i * n + j]);
                }
            })));
            let expected: Vec<f64> = (0..n).map(|i| 1.0 + i as f64).collect();
            let mut x: Vec<f64> =
                (0..n).map(|i| (0..n).map(|j| scale * a[i * n + j] * expected[j]).sum()).collect();
            lu.solve(&mut x);
            assert!(x.iter().zip(&expected).all(|(x, e)| (x - e).abs() < 1e-10 * e), "{groups}: {x:?}");
        }
        let full = (lu.upper.clone(), lu.lower.clone(), lu.inverse.clone());
        // Another entry of one row, and back by the blocks that depend on it.
        let fill = |entry: f64| {
            let a = &a;
            move |i: usize, row: &mut Entries<'_>| {
                (0..n).filter(|j| a[i * n + j] != 0.0).for_each(|j| row.add(j, -3.0 * a[i * n + j]));
                if i == n / 2 {
                    row.add(i, entry);
                }
            }
        };
        assert!(lu.update([n / 2], fill(5.0)));
        assert_ne!(full.2, lu.inverse);
        let updated = (lu.upper.clone(), lu.lower.clone(), lu.inverse.clone());
        assert!(lu.factor(fill(5.0)));
        assert_eq!(updated, (lu.upper.clone(), lu.lower.clone(), lu.inverse.clone()));
        assert!(lu.update([n / 2], fill(0.0)));
        assert_eq!(full, (lu.upper.clone(), lu.lower.clone(), lu.inverse.clone()));
        assert!(lu.fill() <= n * n + n);
    }
}

#[test]
fn a_vanishing_pivot_is_told_and_leaves_nothing_behind() {
    let mut lu = SparseLu::default();
    lu.analyse(&[0, 1], |link| link(0, 1));
    let matrix = |last: f64| {
        move |i: usize, row: &mut Entries<'_>| {
            row.add(0, 1.0);
            row.add(1, if i == 0 { 1.0 } else { last });
        }
    };
    assert!(!lu.factor(matrix(1.0)));
    assert!(lu.factor(matrix(2.0)));
    let mut x = [3.0, 5.0];
    lu.solve(&mut x);
    assert_eq!(x, [1.0, 2.0]);
}
