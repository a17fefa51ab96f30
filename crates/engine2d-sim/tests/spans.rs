//! What a `tracing` subscriber sees of a run, and that the run does not care.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_sim::{Body, Friction, OdeMethod, Settings, SimError, World};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::with_default;
use tracing::{Event, Metadata, Subscriber};

/// One test at a time: who listens first decides for all threads whether a place is worth telling of.
static TURN: Mutex<()> = Mutex::new(());

/// A span as it was seen.
#[derive(Clone, Default)]
struct Seen {
    name: &'static str,
    inside: Option<&'static str>,
    fields: BTreeMap<&'static str, String>,
    entered: u32,
    left: u32,
}

/// Writes everything down.
#[derive(Clone, Default)]
struct Notebook(Arc<Mutex<(Vec<Seen>, Vec<usize>)>>);

struct Fields<'a>(&'a mut BTreeMap<&'static str, String>);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.insert(field.name(), format!("{value:?}"));
    }
}

impl Subscriber for Notebook {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let (seen, open) = &mut *self.0.lock().unwrap();
        let inside = open.last().map(|at| seen[*at].name);
        let mut new = Seen { name: span.metadata().name(), inside, ..Seen::default() };
        span.record(&mut Fields(&mut new.fields));
        seen.push(new);
        Id::from_u64(seen.len() as u64)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        values.record(&mut Fields(&mut self.0.lock().unwrap().0[span.into_u64() as usize - 1].fields));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, span: &Id) {
        let (seen, open) = &mut *self.0.lock().unwrap();
        let at = span.into_u64() as usize - 1;
        seen[at].entered += 1;
        open.push(at);
    }

    fn exit(&self, span: &Id) {
        let (seen, open) = &mut *self.0.lock().unwrap();
        let at = span.into_u64() as usize - 1;
        seen[at].left += 1;
        assert_eq!(open.pop(), Some(at), "spans end in the order in which they began, backwards");
    }
}

/// Two rough blocks that fall on each other and on the floor.
fn world(settings: Settings) -> Result<World, SimError> {
    let rough = Friction::of(0.4);
    World::builder()
        .settings(settings)
        .gravity(9.81)
        .body(Body::wall(12.0, 1.0).at(0.0, -0.5).friction(rough))
        .body(Body::block(1.0, 1.0).at(0.0, 0.6).restitution(0.3).friction(rough))
        .body(Body::block(1.0, 1.0).at(0.2, 1.8).restitution(0.3).friction(rough))
        .build()
}

fn run(settings: Settings) -> Vec<u64> {
    let mut world = world(settings).unwrap();
    for _ in 0..40 {
        world.advance(0.025).unwrap();
    }
    world.state().into_iter().map(f64::to_bits).collect()
}

fn clocks() -> [(&'static str, Settings); 2] {
    [("located", Settings::default()), ("exact", Settings::time_stepping())]
}

#[test]
fn spans_tell_times_sizes_and_statuses_and_change_no_bit() {
    let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    for (clock, settings) in clocks() {
        let notebook = Notebook::default();
        let seen = with_default(notebook.clone(), || run(settings.clone()));
        assert_eq!(seen, run(settings), "{clock}: the same bits without a subscriber");
        let (spans, open) = &*notebook.0.lock().unwrap();
        assert!(open.is_empty(), "{clock}: all spans are left");
        assert!(spans.iter().all(|span| span.entered == span.left));
        let named = |name: &str| spans.iter().filter(|span| span.name == name).collect::<Vec<_>>();
        let steps = named("step");
        assert_eq!(steps.len(), 40);
        assert!(steps.iter().all(|step| step.inside.is_none() && step.fields["status"] == "\"done\""));
        let times: Vec<f64> = steps.iter().map(|step| step.fields["time"].parse().unwrap()).collect();
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]) && times[0] == 0.0);
        assert_eq!(steps[39].fields["bodies"], "3");
        assert!(
            steps[39].fields["contacts"].parse::<u32>().unwrap() >= 2,
            "{clock}: they rest on each other"
        );
        for name in ["stage", "impact", "solve"] {
            let all = named(name);
            assert!(!all.is_empty(), "{clock}: no span {name}");
            assert!(all.iter().all(|span| span.inside.is_some()), "{clock}: {name} is inside of something");
        }
        let stages = named("stage");
        assert!(stages.iter().any(|stage| stage.fields["name"] == "\"impacts\""));
        for solve in named("solve") {
            assert!(solve.fields["rows"].parse::<u32>().unwrap() > 0);
            assert_eq!(solve.fields["status"], "Solved");
            assert!(solve.fields["certificate"].parse::<f64>().unwrap() < 1e-8);
        }
        if clock == "located" {
            assert!(named("island").iter().any(|island| island.fields.contains_key("status")));
        }
    }
}

#[test]
fn what_is_at_rest_is_not_solved_again() {
    let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut world = world(Settings::time_stepping()).unwrap();
    (0..200).for_each(|_| drop(world.advance(0.025).unwrap()));
    let notebook = Notebook::default();
    let before = world.inspect().lcp_statistics().solves;
    with_default(notebook.clone(), || (0..100).for_each(|_| drop(world.advance(0.025).unwrap())));
    let (spans, _) = &*notebook.0.lock().unwrap();
    let solved = spans.iter().filter(|span| span.name == "solve").count();
    assert!(solved <= 2, "{solved} of {}", world.inspect().lcp_statistics().solves - before);
}

#[test]
fn a_failed_advance_leaves_its_spans() {
    let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut settings = Settings { method: OdeMethod::dormand_prince(1e-9), ..Settings::default() };
    settings.limits.evaluations = 3;
    let notebook = Notebook::default();
    with_default(notebook.clone(), || assert!(world(settings).unwrap().advance(1.0).is_err()));
    let (spans, open) = &*notebook.0.lock().unwrap();
    assert!(open.is_empty() && spans[0].fields["status"] == "\"failed\"");
}

#[test]
fn a_step_that_changes_nothing_and_a_deadline_that_is_over_are_errors() {
    let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut late = World::builder().time(1e17).body(Body::ball(1.0)).build().unwrap();
    assert!(matches!(late.advance(0.025), Err(SimError::StepLost { .. })));
    for (clock, settings) in clocks() {
        let mut world = world(settings).unwrap();
        world.probe().set_deadline(Some((|| 2.0, 1.0)));
        assert!(matches!(world.advance(0.025), Err(SimError::Deadline { .. })), "{clock}");
        world.probe().set_deadline(Some((|| 2.0, 3.0)));
        assert!(world.advance(0.025).is_ok(), "{clock}");
    }
}
