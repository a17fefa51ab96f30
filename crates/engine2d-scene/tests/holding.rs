//! What friction holds up to a limit stands a thousandth inside it and moves a thousandth beyond it, by the clock of events and
//! by exact steps alike; where it moves, it moves as the law says.

use engine2d_scene::catalogue::{brake, drawer, leaning_tower, screw, wedge};
use engine2d_scene::{Clock, ClockSettings, ForceLaw, Scene, SteppingSolver};
use engine2d_sim::World;

const G: f64 = 9.81;

/// Inside the limit by this factor, and beyond it by the inverse.
const SHARE: f64 = 0.999;

const CLOCKS: [Option<SteppingSolver>; 2] = [None, Some(SteppingSolver::Exact)];

fn world(mut scene: Scene, clock: Option<SteppingSolver>) -> World {
    scene.settings.clock = clock.map(|solver| Clock::Own(ClockSettings::stepping(solver)));
    scene.to_world().expect("a sound scene")
}

/// Goes on to a time and returns how far the named bodies moved at most meanwhile.
fn moved(world: &mut World, until: f64, step: f64, names: &[&str]) -> f64 {
    let places = |world: &World| -> Vec<[f64; 3]> {
        let of = |name: &&str| {
            let body = world.body(*name).expect("a body");
            [body.position().x, body.position().y, body.angle()]
        };
        names.iter().map(of).collect()
    };
    let (start, mut most) = (places(world), 0.0_f64);
    for _ in 0..((until - world.time()) / step).round() as usize {
        let report = world.advance(step).expect("an advance");
        assert!(report.penetration <= 1e-9 && report.certificate <= 1e-9, "{report:?}");
        for (at, start) in places(world).iter().zip(&start) {
            most = (0..3).fold(most, |most, k| most.max((at[k] - start[k]).abs()));
        }
    }
    most
}

fn step(clock: Option<SteppingSolver>) -> f64 {
    if clock.is_some() { 0.01 } else { 0.1 }
}

fn place(world: &World, name: &str) -> [f64; 2] {
    let at = world.body(name).expect("a body").position();
    [at.x, at.y]
}

/// Two opposite corners touch, `l` apart along the guide and pressed by `N` each; the pull `F` along the guide passes their
/// middle at the distance `e`. Moments about the middle, in which the friction of both sides is level:
///
/// ```text
/// N l = F e ,   it slides if F > 2 μ N   ⇔   e < l/(2 μ) ,   then with m a = F − 2 μ N = F (1 − 2 μ e/l)
/// ```
///
/// Other distributions of friction make both sides press less as long as `μ` times the width of the guide is below `l`.
#[test]
fn a_drawer_jams_beyond_its_eccentricity() {
    let (mu, length, width, turn): (f64, f64, f64, f64) = (0.4, 1.2, 0.6, 0.03);
    let (sin, cos) = turn.sin_cos();
    let apart = length * cos - width * sin;
    for clock in CLOCKS {
        let scene = drawer(mu, SHARE);
        // How far beside the middle the pull passes, read from the scene.
        let pulls: Vec<(f64, f64)> = scene
            .force_laws
            .iter()
            .map(|law| match law {
                ForceLaw::ConstantForce { location: [x, y], force: [pull, _], .. } => {
                    (y.abs() * cos - x * sin, *pull)
                }
                other => panic!("a drawer is pulled by {other:?}"),
            })
            .collect();
        let limit = apart / (2.0 * mu);
        assert!(
            (pulls[0].0 / limit - SHARE).abs() < 1e-12 && (pulls[1].0 * SHARE / limit - 1.0).abs() < 1e-12
        );
        let mut w = world(scene, clock);
        let start = place(&w, "sliding");
        let jammed = moved(&mut w, 2.0, step(clock), &["jammed"]);
        let expected = 0.5 * pulls[0].1 * (1.0 - SHARE) * 4.0;
        let way = place(&w, "sliding")[0] - start[0];
        let room = if clock.is_some() { 1e-6 } else { 1e-9 };
        assert!((way - expected).abs() <= room, "{clock:?}: {way} {expected}");
        let jammed = jammed.max(moved(&mut w, 10.0, step(clock), &["jammed"]));
        assert!(jammed <= 1e-8, "{clock:?}: {jammed}");
    }
}

/// A load `M`, which only moves up and down, on a wedge `m` of the angle `α` on a rough floor. On the point of slipping the
/// force between them is at the angle of friction `φ` from its normal, at `α − φ` from the upright; so it drives the wedge with
/// `M g tan(α − φ)`, against at most `μ (M + m) g`:
///
/// ```text
/// it holds   ⇔   tan(α − φ) ≤ μ (1 + m/M)      (m = 0: α ≤ 2 φ; without friction below: α ≤ φ)
/// ```
///
/// Beyond that, with the normal force `R` on the slope, the acceleration `A` of the wedge and `A tan α` of the load,
///
/// ```text
/// M (g − A tan α) = R (cos α + μ sin α) ,   m A = R (sin α − μ cos α) − μ_f (m g + R (cos α + μ sin α))
/// ```
///
/// and with `T = tan(α − φ)` the second is `m A = M (g − A tan α)(T − μ_f) − μ_f m g`.
#[test]
fn wedges_and_screws_lock_below_their_angles() {
    let (mu, m, load): (f64, f64, f64) = (0.3, 0.5, 2.0);
    let phi = mu.atan();
    let wedge_limit = phi + (mu * (1.0 + m / load)).atan();
    for (scene, below, limit, held, free) in [
        (wedge(mu, SHARE), mu, wedge_limit, ["holding", "load"], "driven_out"),
        (screw(mu, SHARE), 0.0, phi, ["locking", "nut"], "turning"),
    ] {
        let alpha = limit / SHARE;
        let (slope, drive) = (alpha.tan(), (alpha - phi).tan() - below);
        let a = (load * G * drive - below * m * G) / (m + load * slope * drive);
        assert!(a > 0.0);
        for clock in CLOCKS {
            let mut w = world(scene.clone(), clock);
            let start = place(&w, free);
            let fast = moved(&mut w, 2.0, step(clock), &held);
            let way = place(&w, free)[0] - start[0];
            let room = if clock.is_some() { 1e-6 } else { 1e-9 };
            assert!((way - 2.0 * a).abs() <= room, "{free} {clock:?}: {way} {}", 2.0 * a);
            let fast = fast.max(moved(&mut w, 10.0, step(clock), &held));
            assert!(fast <= 1e-8, "{held:?} {clock:?}: {fast}");
        }
    }
}

/// Moments about the pivot of a lever, `a` from the drum and `b` above where it touches, with the weight `W` at `L`: friction
/// `μ N` at the arm `b` draws it down on one side of turning and lifts it on the other, `N = W L/(a ∓ μ b)`. The drum, of moment
/// `I = m r²/2`, stops after `I ω/(μ N r)`, having turned half as far as at its first speed.
#[test]
fn a_lever_brakes_more_where_friction_draws_it() {
    let (mu, speed, radius): (f64, f64, f64) = (0.5, 20.0, 0.6);
    let (a, b, weight_at, weight, mass) = (0.5, 0.4, 1.0, 3.0 * G, 5.0);
    let mut w = world(brake(mu, speed), None);
    let mut stops = [("drawn", -1.0, 1.0), ("lifted", 1.0, -1.0)].map(|(name, side, turns)| {
        let force = weight * weight_at / (a + side * mu * b);
        let stop = 0.5 * mass * radius * speed / (mu * force);
        (stop, turns * 0.5 * speed * stop, name)
    });
    stops.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (stop, angle, name) in stops {
        let (drum, lever) = (format!("{name}_drum"), format!("{name}_lever"));
        let half = 0.5 * stop - w.time();
        if half > 0.0 {
            w.advance(half).expect("it brakes");
            let turning = w.body(&drum).expect("a drum").spin().abs();
            assert!((turning - 0.5 * speed).abs() < 1e-9, "{name}: {turning}");
        }
        let left = stop + 0.1 - w.time();
        w.advance(left).expect("it stops");
        let drum = w.body(&drum).expect("a drum");
        assert!((drum.angle() - angle).abs() < 1e-9, "{name}: {} {angle}", drum.angle());
        assert!(drum.spin().abs() < 1e-12 && w.body(&lever).expect("a lever").angle().abs() < 1e-9);
    }
}

/// Bricks of length `w`, each shifted by `d` against the one below: of `n` of them the upper `n − 1` have their centre of mass
/// `n d/2` beside the middle of the lowest, and tip about its edge beyond `w/2`. Of fewer, and of all on the floor, the limit is
/// further. Beyond it the upper bricks begin to turn as one: with the moment `I` of them about the edge and their centre of mass
/// `x` beyond it, by `n₁ m g x/I`.
#[test]
fn towers_lean_up_to_the_edge_of_their_lowest_brick() {
    for bricks in [2, 4, 7] {
        for clock in CLOCKS {
            let mut w = world(leaning_tower(bricks, SHARE), clock);
            let names: Vec<String> = (0..bricks).map(|k| format!("leaning{k}")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let top = format!("tipping{}", bricks - 1);
            let turned = moved(&mut w, 0.5, step(clock), &names);
            // While it has hardly turned, the upper bricks go on as one body about the edge.
            let count = f64::from(bricks);
            let shift = 1.0 / (count * SHARE);
            let beyond = 0.5 * count * shift - 0.5;
            let moment: f64 = (1..bricks)
                .map(|k| {
                    let k = f64::from(k);
                    let [x, y] = [k * shift - 0.5, 0.25 * (k - 0.5)];
                    (1.0 + 0.0625) / 12.0 + x * x + y * y
                })
                .sum();
            let height = 0.125 * (count - 1.0);
            // The lever of the weight grows as it turns: θ'' = n₁ g (x + h θ)/I.
            let rate = ((count - 1.0) * G * height / moment).sqrt();
            let expected = beyond / height * ((rate * 0.5).cosh() - 1.0);
            let angle = -w.body(&top).expect("a brick").angle();
            assert!((angle - expected).abs() < 0.02 * expected, "{bricks} {clock:?}: {angle} {expected}");
            let turned = turned.max(moved(&mut w, 10.0, step(clock), &names));
            assert!(turned <= 1e-8, "{bricks} {clock:?}: {turned}");
        }
    }
}
