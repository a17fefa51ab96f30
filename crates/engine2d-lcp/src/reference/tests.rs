//! The published check cases of the recorded solver.

use super::*;
use engine2d_math::random::Lcg32;

struct Case {
    a: &'static [f64],
    b: &'static [f64],
    joint: &'static [bool],
    code: i32,
    f: &'static [f64],
    order: &'static [i64],
    state: u32,
}

const A2: &[f64] = &[1.3, 0.7, 0.7, 1.3];
const A3: &[f64] = &[1.3, 1.0, 0.7, 1.0, 1.0, 1.0, 0.7, 1.0, 1.3];
const OPPOSED: &[f64] = &[1.0, -1.0, 0.5, -1.0, 1.0, -0.5, 0.5, -0.5, 2.0];
const NONE: &[bool] = &[false; 3];

const CASES: &[Case] = &[
    Case {
        a: A2,
        b: &[-3.0, -3.0],
        joint: &[false; 2],
        code: -1,
        f: &[1.5, 1.5],
        order: &[0, 1],
        state: 2670642822,
    },
    Case {
        a: A2,
        b: &[-3.0, 2.5],
        joint: &[false; 2],
        code: -1,
        f: &[2.307692308, 0.0],
        order: &[0, 1],
        state: 2670642822,
    },
    Case {
        a: A3,
        b: &[-3.0, -3.2, -3.4],
        joint: NONE,
        code: -1,
        f: &[1.266666667, 0.0, 1.933333333],
        order: &[2, 0, 1],
        state: 3167820124,
    },
    Case {
        a: A3,
        b: &[-3.0, -3.3, -3.4],
        joint: NONE,
        code: -1,
        f: &[0.0, 2.966666667, 0.333333333],
        order: &[2, 0, 1, -1, 1],
        state: 28987765,
    },
    Case {
        a: &[2.0, 1.0, 0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 2.0],
        b: &[4.0, -1.0, -3.0],
        joint: &[true, false, false],
        code: -1,
        f: &[-2.75, 1.5, 0.75],
        order: &[0, 1, 2],
        state: 3167820124,
    },
    Case {
        a: OPPOSED,
        b: &[-2.0, 2.0, -1.0],
        joint: NONE,
        code: -1,
        f: &[2.0, 0.0, 0.0],
        order: &[0, 1, 2],
        state: 3167820124,
    },
    Case {
        a: OPPOSED,
        b: &[-2.0, 1.0, -1.0],
        joint: NONE,
        code: -2,
        f: &[2.0, 0.0, 0.0],
        order: &[0, 1, -1, 2, 1, -1],
        state: 28987765,
    },
];

#[test]
fn published_cases_agree_in_code_force_order_and_draws() {
    let mut solver = Solver::new();
    for (number, case) in CASES.iter().enumerate() {
        let mut rng = Lcg32::new(0);
        let mut f = vec![0.0; case.b.len()];
        let problem = Problem {
            a: case.a,
            b: case.b,
            joint: case.joint,
            policy: Policy::Hybrid,
            order: None,
            tolerance: Some(1e-4),
        };
        let report = solver.solve(&problem, &mut rng, &mut f).unwrap();
        assert_eq!(report.code.number(), case.code, "case {number}");
        assert_eq!(solver.order(), case.order, "case {number}");
        assert_eq!(rng.state(), case.state, "case {number}");
        for (got, expected) in f.iter().zip(case.f) {
            assert!((got - expected).abs() < 1e-8, "case {number}: {f:?}");
        }
    }
}

#[test]
fn a_single_row_is_solved_without_draws() {
    let mut rng = Lcg32::new(7);
    let mut f = [0.0];
    for (b, joint, expected) in [(-3.0, false, 1.5), (3.0, false, 0.0), (3.0, true, -1.5)] {
        let problem = Problem {
            a: &[2.0],
            b: &[b],
            joint: &[joint],
            policy: Policy::Hybrid,
            order: None,
            tolerance: None,
        };
        Solver::new().solve(&problem, &mut rng, &mut f).unwrap();
        assert_eq!(f, [expected]);
    }
    assert_eq!(rng.state(), 7);
}

#[test]
fn rows_missing_from_the_order_stay_untreated() {
    let mut rng = Lcg32::new(0);
    let mut f = [0.0; 2];
    let problem = Problem {
        a: A2,
        b: &[-3.0, -3.0],
        joint: &[false; 2],
        policy: Policy::PreOrdered,
        order: Some(&[1]),
        tolerance: None,
    };
    let report = Solver::new().solve(&problem, &mut rng, &mut f).unwrap();
    assert_eq!((report.outer_steps, f[0]), (2, 0.0));
    assert!((f[1] - 3.0 / 1.3).abs() < 1e-15);
    let no_list = Problem { order: None, ..problem };
    assert_eq!(Solver::new().solve(&no_list, &mut rng, &mut f), Err(Error::MissingOrder));
}

#[test]
fn bad_input_is_a_typed_error() {
    let mut rng = Lcg32::new(0);
    let good = Problem {
        a: A2,
        b: &[-3.0, -3.0],
        joint: &[false; 2],
        policy: Policy::Hybrid,
        order: None,
        tolerance: None,
    };
    let mut solver = Solver::new();
    let short = solver.solve(&good, &mut rng, &mut [0.0]);
    assert_eq!(short, Err(Error::Length { what: "f", got: 1, expected: 2 }));
    let nan = Problem { b: &[-3.0, f64::NAN], ..good };
    assert_eq!(solver.solve(&nan, &mut rng, &mut [0.0; 2]), Err(Error::NonFinite { what: "b", index: 1 }));
}

#[test]
fn unwanted_acceleration_counts_both_signs_only_on_joints() {
    assert_eq!(max_unwanted_accel(&[3.0, -2.0, 1.0], &[false, false, true]), 2.0);
    assert_eq!(max_unwanted_accel(&[3.0, -2.0, -4.0], &[false, false, true]), 4.0);
    assert!(check_force_accel(1e-6, &[1.0, 0.0], &[0.0, 2.0], &[false; 2]));
    assert!(!check_force_accel(1e-6, &[0.0, 1.0], &[0.0, 2.0], &[false; 2]));
    assert!(!check_force_accel(1e-6, &[f64::NAN], &[f64::NAN], &[false]));
}
