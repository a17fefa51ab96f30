//! Malformed problems are refused with the place and the reason.

use super::*;
use crate::{Method, Solver};

#[test]
fn every_mistake_has_its_error() {
    let nan = Lcp::dense([[1.0, f64::NAN], [0.0, 1.0]], [0.0, 0.0]).unwrap_err();
    assert_eq!(nan, Error::NonFinite { what: "A", index: 1 });
    let infinite = Lcp::dense([[1.0]], [f64::INFINITY]).unwrap_err();
    assert_eq!(infinite, Error::NonFinite { what: "b", index: 0 });
    let skew = Lcp::dense([[1.0, 0.5], [0.25, 1.0]], [0.0, 0.0]).unwrap_err();
    assert_eq!(skew, Error::Asymmetric { row: 1, column: 0, difference: 0.25 });
    assert!(skew.to_string().ends_with("must be symmetric (`Lcp::unsymmetric` takes others)"), "{skew}");
    let negative = Lcp::dense([[-1.0]], [0.0]).unwrap_err();
    assert_eq!(negative, Error::NotPsd { row: 0, pivot: -1.0 });
    let short = Lcp::from_dense(vec![1.0; 3], vec![0.0; 2]).unwrap_err();
    assert_eq!(short, Error::Dimension { what: "A", got: 3, expected: 4 });
    let rows =
        |rows: Vec<Row>| Lcp::dense([[1.0, 0.0], [0.0, 1.0]], [0.0; 2]).unwrap().rows(rows).unwrap_err();
    assert!(matches!(rows(vec![Row::Bilateral]), Error::Dimension { what: "rows", .. }));
    let crossed = rows(vec![Row::Bilateral, Row::Boxed { lo: 1.0, hi: 0.0 }]);
    assert_eq!(crossed, Error::CrossedBounds { row: 1, lo: 1.0, hi: 0.0 });
    let itself = rows(vec![Row::Unilateral, Row::Friction { normal: 1, mu: 0.5 }]);
    assert_eq!(itself, Error::BadNormalRow { row: 1, normal: 1 });
    let missing = rows(vec![Row::Unilateral, Row::Friction { normal: 7, mu: 0.5 }]);
    assert_eq!(missing, Error::BadNormalRow { row: 1, normal: 7 });
    let slippery = rows(vec![Row::Unilateral, Row::Friction { normal: 0, mu: -0.5 }]);
    assert_eq!(slippery, Error::BadFriction { row: 1, mu: -0.5 });
}

#[test]
fn the_three_forms_of_a_matrix_agree() {
    let jacobian = SparseRows {
        start: vec![0, 2, 3, 5],
        column: vec![0, 2, 1, 0, 1],
        value: vec![1.0, -2.0, 0.5, 3.0, 1.0],
    };
    let problem = Lcp::jacobian(jacobian, vec![1.0, 2.0, 0.25], vec![1.0, 2.0, 3.0]).unwrap();
    let mut dense = Vec::new();
    problem.matrix().to_dense(&mut dense);
    assert_eq!(dense, [2.0, 0.0, 3.0, 0.0, 0.5, 1.0, 3.0, 1.0, 11.0]);
    let f = [1.0, -2.0, 0.5];
    let (mut left, mut right) = ([0.0; 3], [0.0; 3]);
    problem.accelerations(&f, &mut left);
    Lcp::from_dense(dense, vec![1.0, 2.0, 3.0]).unwrap().accelerations(&f, &mut right);
    assert_eq!(left, right);
}

#[test]
fn a_jacobian_forms_its_matrix_whether_full_or_sparse() {
    let mut rng = engine2d_math::random::Lcg32::new(4);
    let (n, m) = (13, 9);
    for share in [0.1, 0.9] {
        let mut j = SparseRows { start: vec![0], ..SparseRows::default() };
        let mut full = vec![0.0; n * m];
        for (k, full) in full.iter_mut().enumerate() {
            // Some entries come twice: they add up.
            for _ in 0..1 + k % 2 {
                if rng.next_unit() < share {
                    j.column.push(k % m);
                    j.value.push(rng.next_unit() - 0.5);
                    *full += j.value[j.value.len() - 1];
                }
            }
            if k % m == m - 1 {
                j.start.push(j.value.len());
            }
        }
        let inverse_mass: Vec<f64> = (0..m).map(|c| c as f64).collect();
        let problem = Lcp::jacobian(j, inverse_mass, vec![0.0; n]).unwrap();
        let mut dense = Vec::new();
        problem.matrix().to_dense(&mut dense);
        for k in 0..n * n {
            let (a, b) = (k / n, k % n);
            let expected: f64 = (0..m).map(|c| full[a * m + c] * c as f64 * full[b * m + c]).sum();
            assert!((dense[k] - expected).abs() < 1e-13, "{a} {b}: {} {expected}", dense[k]);
            assert_eq!(dense[k], dense[b * n + a]);
        }
    }
}

#[test]
fn a_method_that_is_not_built_in_names_its_feature() {
    let plain = Lcp::dense([[1.0]], [-1.0]).unwrap();
    for (method, feature, built) in [
        (Method::InteriorPoint, "sparse", cfg!(feature = "sparse")),
        (Method::GaussSeidel, "gauss-seidel", cfg!(feature = "gauss-seidel")),
        (Method::Lemke, "lemke", cfg!(feature = "lemke")),
    ] {
        match Solver::with(method).solve(&plain) {
            Ok(_) => assert!(built, "{feature}"),
            Err(error) => {
                let told = error.to_string();
                assert!(!built && told.ends_with(&format!("it needs the feature `{feature}`")), "{told}");
            }
        }
    }
}
