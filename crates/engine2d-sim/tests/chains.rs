//! Chains under the iterative solver of fixed steps.

use engine2d_constraint::Revolute;
use engine2d_sim::{Body, BodyRef, Settings, StepReport, SteppingSolver, TimeStepping, World};

const G: f64 = 9.81;
const H: f64 = 1.0 / 60.0;

/// Links held out straight, each half a unit long, with a heavy ball at their end.
fn chain(count: usize, radius: f64) -> World {
    let choice = TimeStepping { solver: SteppingSolver::Iterative, ..TimeStepping::default() };
    let settings = Settings { time_step: H, time_stepping: Some(choice), ..Settings::default() };
    let mut scene = World::builder().settings(settings).gravity(G);
    for k in 0..count {
        scene = scene.body(Body::block(0.5, 0.1).at(0.25 + 0.5 * k as f64, 0.0));
        let (to, at) =
            if k == 0 { (BodyRef::Ground, [0.0, 0.0]) } else { (BodyRef::Body(k as u32 - 1), [0.25, 0.0]) };
        scene = scene.joint(Revolute::new(BodyRef::Body(k as u32), [-0.25, 0.0], to, at));
    }
    let last = BodyRef::Body(count as u32 - 1);
    scene
        .body(Body::ball(radius).mass(100.0).at(0.5 * count as f64, 0.0))
        .joint(Revolute::new(BodyRef::Body(count as u32), [0.0, 0.0], last, [0.25, 0.0]))
        .build()
        .expect("a chain")
}

fn run(world: &mut World, steps: usize, mut look: impl FnMut(&StepReport)) {
    for _ in 0..steps {
        look(&world.advance(H).expect("a step"));
    }
}

#[test]
fn a_chain_with_a_heavy_ball_does_not_stretch() {
    let mut world = chain(100, 0.3);
    let start = world.energy().total();
    run(&mut world, 600, |report| {
        assert!(report.joint_error <= 1e-9, "{} at {}", report.joint_error, report.time);
        assert!(report.energy <= start + 1.0, "{}", report.energy);
    });
}

/// Bodies that fall together and touch press by what rounding leaves alone: the residual is measured in what forces change.
#[test]
fn what_falls_together_leaves_no_residual() {
    // The ball reaches to the end of the link before its own.
    let mut world = chain(100, 0.5);
    let mut touching = 0;
    run(&mut world, 60, |report| {
        touching += usize::from(!report.contacts.is_empty());
        assert!(report.certificate <= 1e-9, "{} at {}", report.certificate, report.time);
    });
    assert!(touching > 0, "they press at times");
}
