//! Physics as a regression test: every built-in scene against its committed snapshot.
//!
//! A difference that is meant is accepted by `cargo xtask snapshots bless` and explained in the commit;
//! `cargo xtask snapshots check` runs this alone, in release.

use engine2d::geometry::BodyRef;
use engine2d::record::{Observer, run};
use engine2d::scene::{Scene, catalogue::CATALOGUE};
use engine2d::sim::compliant::MaterialTable;
use engine2d::sim::{Event, StepReport, World};
use std::fmt::Write;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Significant digits of states and energies: all that do not depend on the last bits.
const DIGITS: usize = 10;

/// Values below this are rounding noise of a resting state and shown as 0.
const NOISE: f64 = 1e-9;

/// Events that are listed; the others are counted, and show in the end state.
const LISTED: usize = 400;

/// Collects events and the worst figures of a run.
#[derive(Default)]
struct Log {
    events: String,
    count: usize,
    contacts_max: usize,
    certificate: f64,
    penetration: f64,
    joint_error: f64,
}

impl Observer for Log {
    fn start(&mut self, _: &World) -> io::Result<()> {
        Ok(())
    }

    fn step(&mut self, world: &World, report: &StepReport) -> io::Result<()> {
        let name = |body: BodyRef| {
            let body = body.index().and_then(|index| world.body(index).ok());
            body.map_or("ground", |body| body.name())
        };
        for event in report.events() {
            let who = event.bodies().map_or(String::new(), |pair| {
                let [a, b] = pair.map(name);
                format!("{a} on {b}")
            });
            let (kind, size) = match event {
                Event::Collision { impulse, .. } => ("collision", format!("  impulse {impulse:.6}")),
                Event::ContactBegin { .. } => ("contact begins", String::new()),
                Event::ContactEnd { .. } => ("contact ends", String::new()),
                Event::TouchBegin { velocity, .. } => ("touch begins", format!("  at {velocity:.6}")),
                Event::TouchEnd { .. } => ("touch ends", String::new()),
                Event::Stick { .. } => ("sticks", String::new()),
                Event::Slide { forward, .. } => {
                    ("slides", (if *forward { "  forward" } else { "  back" }).to_owned())
                }
                Event::Jam { impulse, .. } => ("jams", format!("  impulse {impulse:.6}")),
                Event::LiftOff { .. } => ("lifts off", String::new()),
                Event::RestitutionReduced { share, .. } => ("restitution", format!("  share {share:.6}")),
                Event::Accumulation { since, .. } => ("accumulation", format!("  since {since:.6}")),
                Event::Sustained { velocity, .. } => ("sustained", format!("  at {velocity:.6}")),
                Event::Broken { name, .. } => ("broken", format!("  {name}")),
                Event::SensorBegin { .. } => ("comes into", String::new()),
                Event::SensorEnd { .. } => ("leaves", String::new()),
                Event::FixedSteps { since, .. } => ("fixed steps", format!("  since {since:.6}")),
                Event::User { name, .. } => ("event", format!("  {name}")),
                other => panic!("how is {other:?} listed?"),
            };
            self.count += 1;
            if self.count > LISTED {
                continue;
            }
            let _never = writeln!(self.events, "  {:11.6}  {kind:14}  {who}{size}", event.time());
        }
        self.contacts_max = self.contacts_max.max(report.contacts.len());
        self.certificate = self.certificate.max(report.certificate);
        self.penetration = self.penetration.max(report.penetration);
        self.joint_error = self.joint_error.max(report.joint_error);
        Ok(())
    }
}

fn number(value: f64) -> String {
    if value.abs() < NOISE { "0".to_owned() } else { format!("{value:.*e}", DIGITS - 1) }
}

/// The power of ten that bounds a small figure: its digits are rounding.
fn magnitude(value: f64) -> String {
    if value <= 0.0 { "0".to_owned() } else { format!("below 1e{}", value.log10().floor() as i32 + 1) }
}

fn describe(scene: &Scene) -> String {
    let mut world = scene.to_world().unwrap_or_else(|error| panic!("{error}"));
    let mut log = Log::default();
    let until = scene.start_time + scene.duration;
    run(&mut world, until, scene.settings.time_step, &mut [&mut log])
        .unwrap_or_else(|error| panic!("{error}"));

    let (energy, totals, lcp) = (world.energy(), world.inspect().totals(), world.inspect().lcp_statistics());
    let settings = format!("{:?}", world.settings());
    let settings = settings.replace(&format!("{:?}", MaterialTable::default()), "default");
    let mut text = format!("settings\n  {settings}\n\n");
    text += &format!(
        "end\n  time {:.6}\n  kinetic energy {}\n  potential energy {}\n  collisions {}, impulse problems {}, \
         searches {}, steps {}, backups {}\n  contacts at most {}\n  worst penetration {}\n  worst joint error {}\n\n",
        world.time(),
        number(energy.kinetic()),
        number(energy.potential),
        totals.collisions,
        totals.impulses,
        totals.searches,
        totals.steps,
        totals.backups,
        log.contacts_max,
        magnitude(log.penetration),
        magnitude(log.joint_error),
    );
    text += &format!(
        "complementarity problems\n  solved {}, largest {} rows, pivots {}, softened {}\n  worst certificate {}\n\n",
        lcp.solves,
        lcp.largest,
        lcp.pivots,
        lcp.softened,
        magnitude(log.certificate),
    );
    text += "bodies (x, y, angle, vx, vy, spin)\n";
    for body in world.bodies().filter(|body| !body.is_fixed()) {
        let (p, v) = (body.position(), body.velocity());
        let values = [p.x, p.y, body.angle(), v.x, v.y, body.spin()].map(number);
        text += &format!("  {}  {}\n", body.name(), values.join("  "));
    }
    text += "\nevents\n";
    text += &log.events;
    if log.count > LISTED {
        text += &format!("  and {} more\n", log.count - LISTED);
    }
    text
}

/// Two scenes run at a time.
#[test]
fn built_in_scenes_move_as_before() {
    let entries: Vec<_> = CATALOGUE.iter().collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let taken = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let own = taken.map_while(|k| entries.get(k).map(|entry| (k, describe(&entry.scene()))));
        own.collect::<Vec<_>>()
    };
    let mut told = std::thread::scope(|scope| {
        let other = scope.spawn(work);
        let mut told = work();
        told.extend(other.join().expect("a thread of the test"));
        told
    });
    told.sort_unstable();
    for (k, text) in told {
        insta::assert_snapshot!(entries[k].name, text);
    }
}

#[test]
fn solver_tolerances_are_as_before() {
    use engine2d::lcp::tolerance as lcp;
    use engine2d::sim::tolerance as sim;
    insta::assert_debug_snapshot!(
        "solver_tolerances",
        [
            ("lcp solved", lcp::SOLVED),
            ("lcp acceptable", lcp::ACCEPTABLE),
            ("lcp drive floor", lcp::DRIVE_FLOOR),
            ("lcp refine", lcp::REFINE),
            ("lcp flat", lcp::ROUNDING),
            ("lcp flat redundant", lcp::FLAT_REDUNDANT),
            ("lcp not positive semidefinite", lcp::NOT_PSD),
            ("lcp ray residual", lcp::RAY_RESIDUAL),
            ("accepted violation", sim::ACCEPTED_VIOLATION),
            ("softening", sim::SOFTENING),
            ("serial speed", sim::SERIAL_SPEED),
            ("tiny impulse", sim::TINY_IMPULSE),
        ]
    );
    insta::assert_debug_snapshot!("pivoting_attempts", lcp::ATTEMPTS);
}
