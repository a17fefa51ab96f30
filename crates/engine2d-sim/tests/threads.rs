//! Fixed steps have the same bits on any number of threads.
#![cfg(feature = "parallel")]

use crate::rig::pile::pile;
use engine2d_sim::{Settings, SteppingSolver, TimeStepping, World};

const H: f64 = 1.0 / 60.0;

fn settings(solver: SteppingSolver) -> Settings {
    let choice = TimeStepping { solver, ..TimeStepping::default() };
    Settings { time_step: H, time_stepping: Some(choice), ..Settings::default() }
}

/// State and reports of a run on so many threads, bit for bit.
fn bits(threads: usize, make: &(dyn Fn() -> World + Sync), steps: usize) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    pool.install(|| {
        let (mut world, mut bits) = (make(), Vec::new());
        for _ in 0..steps {
            let report = world.advance(H).expect("a step");
            bits.extend([report.penetration, report.certificate, report.energy].map(f64::to_bits));
            bits.extend(report.contacts.iter().map(|contact| contact.force.to_bits()));
            bits.extend(report.events.iter().map(|event| event.time().to_bits()));
        }
        bits.extend(world.state().iter().map(|v| v.to_bits()));
        bits
    })
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    // Enough bodies for several ranges, and pairs for several stretches.
    let many = || pile(settings(SteppingSolver::Iterative), 4500, 0.5, 7);
    // Several islands.
    let islands = || {
        let mut world = pile(settings(SteppingSolver::Exact), 30, 0.4, 3);
        for k in 0..5 {
            for row in 0..4 {
                let body = engine2d_sim::Body::block(1.0, 1.0).friction(0.5).restitution(0.0);
                let at = [100.0 + 3.0 * f64::from(k), 0.5 + 1.01 * f64::from(row)];
                world.add_body(body.at(at[0], at[1])).expect("a body");
            }
            let floor = engine2d_sim::Body::block(2.0, 1.0).fixed().friction(0.5);
            world.add_body(floor.at(100.0 + 3.0 * f64::from(k), -0.5)).expect("a floor");
        }
        world
    };
    let auto = || pile(settings(SteppingSolver::Auto), 60, 0.3, 5);
    let scenes: [(&str, &(dyn Fn() -> World + Sync), usize); 3] =
        [("many", &many, 180), ("islands", &islands, 60), ("auto", &auto, 90)];
    for (name, make, steps) in scenes {
        let [one, two, five] = [1, 2, 5].map(|threads| bits(threads, make, steps));
        assert!(one == two && one == five, "{name}");
    }
}
