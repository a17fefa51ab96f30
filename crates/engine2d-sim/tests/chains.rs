//! Chains in fixed steps.

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

/// Links of a tenth, each of a tenth of a kilogram, with a ball at their end: hanging down, or held out straight.
fn light_chain(solver: SteppingSolver, (count, mass): (usize, f64), along: [f64; 2], kick: f64) -> World {
    let choice = TimeStepping { solver, ..TimeStepping::default() };
    let settings = Settings { time_step: H, time_stepping: Some(choice), ..Settings::default() };
    let (mut scene, angle) = (World::builder().settings(settings).gravity(G), f64::atan2(along[1], along[0]));
    let at = |way: f64| [way * along[0], way * along[1]];
    for k in 0..count {
        let [x, y] = at(0.05 + 0.1 * k as f64);
        scene = scene.body(Body::block(0.1, 0.02).mass(0.1).at(x, y).angle(angle));
        let (to, at) =
            if k == 0 { (BodyRef::Ground, [0.0, 0.0]) } else { (BodyRef::Body(k as u32 - 1), [0.05, 0.0]) };
        scene = scene.joint(Revolute::new(BodyRef::Body(k as u32), [-0.05, 0.0], to, at));
    }
    let ([x, y], ball) = (at(0.1 * count as f64), BodyRef::Body(count as u32));
    let last = BodyRef::Body(count as u32 - 1);
    let heavy = Body::ball(0.03).mass(mass).at(x, y).velocity(kick, 0.0);
    scene.body(heavy).joint(Revolute::new(ball, [0.0, 0.0], last, [0.05, 0.0])).build().expect("a chain")
}

/// Light links under a thousand times their weight swing a hundred times faster than steps are long: those are taken in parts, else what
/// puts the links back on their joints throws them about.
#[test]
fn light_links_under_a_heavy_ball_gain_nothing() {
    for (solver, gain) in [(SteppingSolver::Exact, 0.01), (SteppingSolver::Iterative, 0.02)] {
        for (count, mass) in [(2, 100.0), (5, 1000.0), (20, 100.0)] {
            for kick in [0.0, 1.0] {
                let mut world = light_chain(solver, (count, mass), [0.0, -1.0], kick);
                let (start, moving) = (world.energy().total(), 0.5 * mass * kick * kick);
                run(&mut world, 120, |report| {
                    assert!(report.joint_error <= 1e-9, "{} at {}", report.joint_error, report.time);
                    let change = report.energy - start;
                    let most = gain * moving + 1e-9;
                    assert!(
                        change <= most && change >= -0.1 * moving - 1e-9,
                        "{change} of {moving} at {}",
                        report.time
                    );
                });
            }
        }
    }
}

/// Held out straight a chain whips, and its end is a hundred times faster than it began to fall.
#[test]
fn a_chain_that_whips_holds_together() {
    for solver in [SteppingSolver::Exact, SteppingSolver::Iterative] {
        let mut world = light_chain(solver, (100, 0.1), [1.0, 0.0], 0.0);
        run(&mut world, 180, |report| {
            assert!(report.joint_error <= 1e-9, "{} at {}", report.joint_error, report.time);
            assert!(report.energy <= 0.1, "{} at {}", report.energy, report.time);
        });
    }
}
