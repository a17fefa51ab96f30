//! A rod that slides on its end, in each of the cases that rigid bodies know \[Painlevé 1895; Génot, Brogliato 1999\].
//!
//! With the arm `(x, y)` from the centre of mass to the end that touches, the tangent to the right and the slip `σ = ±1` along
//! it, Coulomb's law makes the normal acceleration of the end depend on the normal force by itself:
//!
//! ```text
//! ü = b + p N ,   b = −g − ω² y ,   p = C − μ σ B ,   C = 1/m + x²/I ,   B = −x y/I
//!
//!          p > 0                          p < 0
//! b < 0    slides with N = −b/p           no force is an answer: it jams, an impact without collision
//! b > 0    lifts off                      several are; it lifts off
//! ```

use engine2d_math::{Vec2, perp};
use engine2d_sim::{Body, BodyRef, BodySet, Event, Force, ForceLaw, Forces, Settings, SimError, World};

const G: f64 = 9.81;
const LENGTH: f64 = 2.0;
const WIDTH: f64 = 1e-4;

/// A rod whose lower end touches the floor, slides at a speed to the right, and turns.
struct Rod {
    /// From the centre of mass to the end that touches.
    arm: Vec2,
    slip: f64,
    turning: f64,
    mu: f64,
}

impl Rod {
    /// A rod at `tan θ = 2`.
    fn new(slip: f64, turning: f64, mu: f64) -> Self {
        let (sin, cos) = f64::atan(2.0).sin_cos();
        let arm = Vec2::new(-0.5 * LENGTH * cos + 0.5 * WIDTH * sin, -0.5 * LENGTH * sin - 0.5 * WIDTH * cos);
        Self { arm, slip, turning, mu }
    }

    /// `b` and `p`.
    fn coefficients(&self) -> [f64; 2] {
        let [x, y] = [self.arm.x, self.arm.y];
        let moment = (LENGTH * LENGTH + WIDTH * WIDTH) / 12.0;
        let (c, b) = (1.0 + x * x / moment, -x * y / moment);
        [-G - self.turning * self.turning * y, c - self.mu * self.slip.signum() * b]
    }

    fn world(&self) -> World {
        let velocity = Vec2::new(self.slip, 0.0) - perp(self.arm) * self.turning;
        let rod = Body::block(LENGTH, WIDTH).angle(f64::atan(2.0)).at(-self.arm.x, -self.arm.y);
        let rod = rod.velocity(velocity.x, velocity.y).spin(self.turning).friction(self.mu).restitution(0.0);
        let floor = Body::block(200.0, 1.0).fixed().at(0.0, -0.5).friction(self.mu).restitution(0.0);
        World::builder()
            .settings(Settings::default())
            .gravity(G)
            .body(floor)
            .body(rod)
            .build()
            .expect("a rod")
    }
}

/// Energy now, and whether the rod jams within a time.
fn watch(rod: &Rod, time: f64) -> (World, bool) {
    let mut world = rod.world();
    let before = world.energy().total();
    let report = world.advance(time).expect("a verdict");
    assert!(report.energy <= before + 1e-12 && report.energy.is_finite(), "{} {before}", report.energy);
    let jammed = report.events().iter().any(|event| matches!(event, Event::Jam { .. }));
    (world, jammed)
}

#[test]
fn it_slides_as_long_as_its_force_exists() {
    // B is negative: friction to the right of a rod that slides to the left presses it down.
    for (slip, mu) in [(-3.0, 0.3), (-3.0, 1.3), (3.0, 0.3), (3.0, 1.6)] {
        let rod = Rod::new(slip, 0.0, mu);
        let [b, p] = rod.coefficients();
        assert!(b < 0.0 && p > 0.0);
        let (mut world, jammed) = watch(&rod, 1e-9);
        assert!(!jammed);
        let force: f64 = world.contact_forces().iter().map(|contact| contact.force).sum();
        // It has turned by some 1e-17 by now; the speed of its end by some 1e-8, which changes nothing here.
        assert!((force + b / p).abs() < 1e-6 * force, "{slip} {mu}: {force} {}", -b / p);
        world.advance(1e-3).expect("it slides on");
    }
}

#[test]
fn it_jams_where_no_force_is_an_answer() {
    for (slip, turning, mu) in [(-3.0, 0.0, 1.37), (-0.5, 0.0, 2.0), (-2.0, 1.0, 1.6), (-2.0, -1.0, 1.6)] {
        let rod = Rod::new(slip, turning, mu);
        let [b, p] = rod.coefficients();
        assert!(b < 0.0 && p < 0.0);
        let mut world = rod.world();
        let before = world.energy();
        let report = world.advance(1e-6).expect("an impact");
        let jam = report.events().iter().find_map(|event| match event {
            Event::Jam { time, impulse, .. } => Some((*time, *impulse)),
            _ => None,
        });
        let (time, impulse) = jam.expect("it jams");
        assert!(time < 1e-9 && impulse.is_finite() && impulse > 0.0, "{time} {impulse}");
        assert!(report.energy < before.total(), "it loses energy");
        // Sliding ends at once: the end stands.
        let body = world.body(1).expect("a rod");
        let (sin, cos) = body.angle().sin_cos();
        let arm = Vec2::new(-0.5 * LENGTH * cos + 0.5 * WIDTH * sin, -0.5 * LENGTH * sin - 0.5 * WIDTH * cos);
        let end = body.velocity() + perp(arm) * body.spin();
        assert!(end.norm() < 1e-3 * slip.abs(), "{end}");
    }
}

/// Just below and above the critical coefficient, `C/|B| = 4/3` for a slender rod here.
#[test]
fn the_critical_coefficient_separates_sliding_from_jamming() {
    let [_, with] = Rod::new(-3.0, 0.0, 1.0).coefficients();
    let [_, without] = Rod::new(-3.0, 0.0, 0.0).coefficients();
    let critical = without / (without - with);
    assert!((critical - 4.0 / 3.0).abs() < 1e-3, "{critical}");
    assert!(!watch(&Rod::new(-3.0, 0.0, critical * (1.0 - 1e-4)), 1e-9).1);
    assert!(watch(&Rod::new(-3.0, 0.0, critical * (1.0 + 1e-4)), 1e-9).1);
}

#[test]
fn it_lifts_off_where_it_can() {
    for (slip, turning, mu) in [(-3.0, 4.0, 0.5), (3.0, -4.0, 1.6), (-3.0, 4.0, 1.6), (-1.0, -5.0, 2.0)] {
        let rod = Rod::new(slip, turning, mu);
        let [b, p] = rod.coefficients();
        assert!(b > 0.0 && (p > 0.0) == (mu == 0.5 || slip > 0.0));
        let start = rod.world();
        let [at, velocity] = [start.body(1).unwrap().position(), start.body(1).unwrap().velocity()];
        let time = 0.05;
        let (world, jammed) = watch(&rod, time);
        assert!(!jammed && world.contact_forces().is_empty());
        // Free flight: nothing has held it, nothing has pushed it.
        let body = world.body(1).unwrap();
        let expected = at + velocity * time - Vec2::new(0.0, 0.5 * G * time * time);
        assert!((body.position() - expected).norm() < 1e-12, "{} {expected}", body.position());
        assert!((body.spin() - turning).abs() < 1e-12);
    }
}

/// What an instant decides of the rod, with the figures of the event if there is one.
#[derive(Debug, PartialEq)]
enum Verdict {
    Slides,
    Jams,
    LiftsOff,
    /// Lifts off where sliding on and stopping at once were answers too.
    LiftsOffByRule,
}

/// Every case, either way of sliding, many speeds, turnings and coefficients: the verdict is that of `b` and `p`, all figures are
/// finite, no energy is gained.
#[test]
fn all_four_cases_have_their_verdict() {
    let mut counts = [0; 4];
    for slip in [-5.0, -2.0, -0.3, 0.3, 2.0, 5.0] {
        for turning in [-6.0, -4.0, -1.0, 0.0, 1.0, 4.0, 6.0] {
            for mu in [0.1, 0.7, 1.2, 1.45, 2.0, 4.0] {
                let rod = Rod::new(slip, turning, mu);
                let [b, p] = rod.coefficients();
                let expected = match (b < 0.0, p > 0.0) {
                    (true, true) => Verdict::Slides,
                    (true, false) => Verdict::Jams,
                    (false, true) => Verdict::LiftsOff,
                    (false, false) => Verdict::LiftsOffByRule,
                };
                let mut world = rod.world();
                let before = world.energy();
                let report = world.advance(1e-9).expect("a verdict");
                assert!(report.energy.is_finite() && report.energy <= before.total() * (1.0 + 1e-12));
                let mut found =
                    if world.contact_forces().is_empty() { Verdict::LiftsOff } else { Verdict::Slides };
                for event in report.events() {
                    match event {
                        Event::Jam { per_force, impulse, energy, .. } => {
                            assert!((per_force - p).abs() < 1e-9 * p.abs(), "{per_force} {p}");
                            assert!(*impulse > 0.0 && impulse.is_finite());
                            let lost = before.total() - report.energy;
                            // What gravity does in the 1e-9 s besides is of that size.
                            assert!(*energy > 0.0 && (energy - lost).abs() < 1e-6, "{energy} {lost}");
                            found = Verdict::Jams;
                        }
                        Event::LiftOff { per_force, impulse, .. } => {
                            assert_eq!(event.bodies(), Some([BodyRef::Body(1), BodyRef::Body(0)]));
                            assert!((per_force - p).abs() < 1e-9 * p.abs(), "{per_force} {p}");
                            assert_eq!(*impulse, 0.0);
                            assert!(world.contact_forces().is_empty());
                            found = Verdict::LiftsOffByRule;
                        }
                        _ => {}
                    }
                }
                assert_eq!(found, expected, "slip {slip} turning {turning} mu {mu}: b {b} p {p}");
                counts[expected as usize] += 1;
            }
        }
    }
    assert!(counts.iter().all(|count| *count >= 20), "all cases are tried: {counts:?}");
}

/// Draws the body 1 to the line x = 0 by `1 / x²`.
#[derive(Debug)]
struct Pole;

impl Force for Pole {
    fn name(&self) -> &str {
        "pole"
    }

    fn apply(&self, bodies: &BodySet<'_>, forces: &mut Forces<'_>) -> Result<(), SimError> {
        for body in bodies.iter().filter(|body| body.index() == 1) {
            let x = body.position().x;
            forces.push(1, body.position(), Vec2::new(-x / x.abs().powi(3), 0.0));
        }
        Ok(())
    }
}

#[test]
fn a_law_that_asks_for_ever_shorter_steps_is_no_jam() {
    let mut world = World::builder()
        .body(Body::block(20.0, 1.0).fixed().at(0.0, -0.5))
        .body(Body::ball(0.1).at(1.0, 3.0))
        .force_law(ForceLaw::user(Pole))
        .build()
        .unwrap();
    let fall = 1.25;
    let ended = (0..25).find_map(|_| world.advance(fall / 25.0).err());
    assert!(matches!(ended, Some(SimError::StepTooSmall { .. })), "{ended:?}");
}
