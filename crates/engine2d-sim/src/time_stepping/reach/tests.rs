//! A hammer hits one of many discs that lie side by side on a rough floor: what is found by parts is an answer of all rows.

use super::Reach;
use crate::road::{Row, Source};
use crate::time_stepping::line::{Line, add_changes, rate_along};
use crate::time_stepping::solve::Answer;
use engine2d_constraint::{ConstraintRow, InverseMass, RowKind};
use engine2d_geometry::{BodyRef, ContactId, Features};
use engine2d_lcp::Set;
use engine2d_math::Vec2;

const DISCS: usize = 40;
const STRUCK: usize = 20;

/// Coefficient of friction of discs and floor.
const ROUGH: f64 = 0.3;

/// Speeds and impulses, relative to those of the hammer, that are none: what an answer may leave.
const NOTHING: f64 = 1e-9;

/// The rows of a contact of discs of radius 1: normal, then friction.
fn contact(bodies: [BodyRef; 2], normal: Vec2, mu: f64, approach: f64, lines: &mut Vec<Line>) {
    let place = lines.len();
    let id = ContactId {
        primary: bodies[0],
        normal_body: bodies[1],
        features: Features::VertexEdge { vertex: place as u32, edge: 0 },
    };
    let along = Vec2::new(-normal.y, normal.x);
    let rows =
        [(normal, RowKind::Unilateral, -approach), (along, RowKind::Friction { normal: place, mu }, 0.0)];
    for (direction, kind, bias) in rows {
        let row = ConstraintRow::separation(bodies, direction, -normal, normal);
        let row = Row {
            source: Source::Contact(id),
            row,
            kind,
            error: 0.0,
            rate: bias,
            bias: 0.0,
            holonomic: true,
            point: Vec2::zeros(),
        };
        lines.push(Line { row, bias, compliance: 0.0, restitution: 0.0 });
    }
}

/// All contacts, where a hammer comes against one disc along a direction, with speed 1.
fn row_of_discs(along: Vec2) -> (Vec<Line>, Vec<InverseMass>) {
    let disc = |k: usize| BodyRef::Body(k as u32);
    let mut lines = Vec::new();
    for k in 0..DISCS {
        contact([disc(k), BodyRef::Ground], Vec2::new(0.0, 1.0), ROUGH, 0.0, &mut lines);
        if k > 0 {
            contact([disc(k), disc(k - 1)], Vec2::new(1.0, 0.0), ROUGH, 0.0, &mut lines);
        }
    }
    contact([disc(STRUCK), disc(DISCS)], along, 0.0, 1.0, &mut lines);
    (lines, vec![InverseMass::new(1.0, 0.5); DISCS + 1])
}

/// Asks for the impulses, looks whether they are an answer, and returns them with how many rows were asked at last.
fn struck(along: Vec2) -> (Vec<f64>, usize) {
    let (lines, masses) = row_of_discs(along);
    let (mut reach, mut answer) = (Reach::default(), Answer::default());
    let start = |k: usize| (if lines[k].bias < 0.0 { Set::Clamped } else { Set::Lower }, 0.0);
    reach.solve(&lines, start, &masses, (0.0, false), &mut answer).expect("a sound problem");
    assert!(answer.solved);
    let mut changes = vec![[0.0; 3]; masses.len()];
    add_changes(&lines, &answer.impulses, &masses, &mut changes);
    for (line, &p) in lines.iter().zip(&answer.impulses) {
        let rate = line.bias + rate_along(&line.row, &changes);
        match line.row.kind {
            RowKind::Friction { normal, mu } => {
                let most = mu * answer.impulses[normal];
                assert!(p.abs() <= most + NOTHING, "{p} beyond {most}");
                let slides = rate.abs() > NOTHING && most > NOTHING;
                assert!(!slides || (p + most * rate.signum()).abs() <= NOTHING, "{p} at a slip of {rate}");
            }
            _ => {
                assert!(rate >= -NOTHING, "approaches with {rate}");
                assert!(p >= 0.0 && p * rate <= NOTHING, "{p} at a rate of {rate}");
            }
        }
    }
    (answer.impulses, reach.chosen.len())
}

#[test]
fn a_blow_that_moves_one_disc_asks_few_rows() {
    // Straight down: the floor takes all of it.
    let (impulses, asked) = struck(Vec2::new(0.0, -1.0));
    assert!((impulses[impulses.len() - 2] - 1.0).abs() <= NOTHING, "the hammer of unit mass stops");
    assert!(asked < 60, "{asked} of {} rows", impulses.len());
}

#[test]
fn a_blow_reaches_all_that_lies_before_it() {
    let (impulses, asked) = struck(Vec2::new(0.8, -0.6));
    let last = impulses[4 * (DISCS - 1)];
    assert!(last > 0.0, "the last disc is struck as well");
    assert!(asked >= 4 * (DISCS - STRUCK), "{asked} rows");
}
