//! Rolling resistance against closed forms.
//!
//! A disc of radius `r`, mass `m` and moment `k m r²` rolls to the right (`v = −ω r`) on a slope that falls to the left at `α`.
//! With the friction `f` along the slope and the torque `c N`, `N = m g cos α`, against its turning:
//!
//! ```text
//! m a = f − m g sin α ,   k m r² (−a/r) = f r + c N   ⇒   a = −g (sin α + (c/r) cos α)/(1 + k)
//! ```
//!
//! so that on the level it stops after `v² r (1 + k)/(2 c g)`; downhill the sign of `c` turns. At rest `f = m g sin α` and the
//! torque `f r ≤ c N` hold it as long as `tan α ≤ c/r`.

use crate::rig::slope::{G, slope};
use engine2d_sim::{Body, Settings, SteppingSolver, SurfacePair, SurfaceTable, World};

fn floor() -> Body {
    Body::block(200.0, 1.0).fixed().at(0.0, -0.5).friction(0.8)
}

/// A body of moment `k m r²` that rolls at the speed `v`.
fn wheel(r: f64, k: f64, v: f64) -> Body {
    let m = 2.0;
    Body::ball(r).mass(m).moment(k * m * r * r).at(0.0, r).velocity(v, 0.0).spin(-v / r).friction(0.8)
}

fn world(settings: Settings, body: Body, angle: f64) -> World {
    let built = World::builder().settings(settings).force_law(slope(angle));
    built.body(floor()).body(body).build().expect("a sound scene")
}

fn located() -> Settings {
    Settings { energy_ledger: true, ..Settings::default() }
}

fn run(world: &mut World, time: f64, step: f64) {
    for _ in 0..(time / step).round() as usize {
        world.advance(step).expect("forces");
    }
}

fn at(world: &World) -> [f64; 3] {
    let body = world.body(1).expect("a body");
    [body.position().x, body.velocity().x, body.spin()]
}

#[test]
fn a_disc_rolls_to_a_stop_and_stays() {
    for (r, k, c, v) in [(0.5, 0.5, 0.02, 1.0), (0.3, 1.0, 0.004, -0.7), (1.5, 0.4, 0.1, 2.0)] {
        let body = wheel(r, k, v).rolling_resistance(c);
        let mut w = world(located(), body, 0.0);
        let a = c * G / (r * (1.0 + k));
        let time = f64::abs(v) / a;
        run(&mut w, 0.5 * time, 0.05 * time);
        let [x, speed, turning] = at(&w);
        assert!((x - v * time * 0.375).abs() < 1e-9, "half of the time: {x}");
        assert!((speed - 0.5 * v).abs() < 1e-9 && (turning + 0.5 * v / r).abs() < 1e-9, "{speed} {turning}");
        run(&mut w, time, 0.1 * time);
        let [x, speed, turning] = at(&w);
        let way = v * f64::abs(v) / (2.0 * a);
        assert!((x - way).abs() < 1e-9, "{x} {way}");
        assert!(speed.abs() < 1e-12 && turning.abs() < 1e-12, "{speed} {turning}");
        run(&mut w, 10.0, 0.5);
        // What is left is the rounding of a projection of velocities: some 1e-14 m/s.
        assert!((at(&w)[0] - x).abs() < 1e-12, "it stays: {x} {}", at(&w)[0]);
        let ledger = w.inspect().energy_ledger().expect("books");
        let kinetic = 0.5 * 2.0 * v * v * (1.0 + k);
        assert!((ledger.friction + kinetic).abs() < 1e-9 * kinetic, "{ledger} {kinetic}");
    }
}

#[test]
fn on_a_slope_it_stays_below_the_angle_of_rolling_and_rolls_above_it() {
    let (r, k, c): (f64, f64, f64) = (0.5, 0.5, 0.05);
    let limit = (c / r).atan();
    let mut w = world(located(), wheel(r, k, 0.0).rolling_resistance(c), limit - 1e-6);
    run(&mut w, 10.0, 0.1);
    assert!(at(&w)[0].abs() <= 1e-9, "{:?}", at(&w));
    for more in [1e-6, 1e-3, 0.2] {
        let angle = limit + more;
        let mut w = world(located(), wheel(r, k, 0.0).rolling_resistance(c), angle);
        run(&mut w, 2.0, 0.1);
        let a = G * (angle.sin() - c / r * angle.cos()) / (1.0 + k);
        let [x, v, turning] = at(&w);
        assert!((x + 2.0 * a).abs() < 1e-9, "{more}: {x} {}", -2.0 * a);
        assert!((v + 2.0 * a).abs() < 1e-9 && (turning - 2.0 * a / r).abs() < 1e-9, "{v} {turning}");
    }
}

/// Uphill both brake; then it turns round, and rolls back more slowly.
#[test]
fn it_turns_round_on_a_slope() {
    let (r, k, c, v, angle): (f64, f64, f64, f64, f64) = (0.5, 0.5, 0.05, 2.0, 0.2);
    let mut w = world(located(), wheel(r, k, v).rolling_resistance(c), angle);
    let up = G * (angle.sin() + c / r * angle.cos()) / (1.0 + k);
    let down = G * (angle.sin() - c / r * angle.cos()) / (1.0 + k);
    let turn = v / up;
    run(&mut w, turn + 1.0, (turn + 1.0) / 30.0);
    let expected = v * v / (2.0 * up) - 0.5 * down;
    assert!((at(&w)[0] - expected).abs() < 1e-9, "{} {expected}", at(&w)[0]);
}

/// What only touches the air of a corner does not roll: a block tips as without.
#[test]
fn corners_do_not_roll() {
    let tipped = |c: f64| {
        let block = Body::block(1.0, 2.0).at(0.0, 1.0).friction(0.8).rolling_resistance(c);
        let mut w = world(located(), block, 0.6);
        run(&mut w, 0.5, 0.05);
        at(&w).map(f64::to_bits)
    };
    assert_eq!(tipped(0.0), tipped(0.2));
}

/// A pair of materials goes before what each brings along.
#[test]
fn pairs_and_the_larger_of_both() {
    let (r, k, v) = (0.5, 0.5, 1.0);
    let way = |c: f64| v * v * r * (1.0 + k) / (2.0 * c * G);
    let slow = |own: f64, floors: f64, pair: Option<f64>| {
        let mut surfaces = SurfaceTable::default();
        surfaces.set("steel", "grass", SurfacePair { rolling_resistance: pair, ..SurfacePair::default() });
        let built = World::builder().settings(Settings { surfaces, ..located() }).gravity(G);
        let floor = floor().rolling_resistance(floors).material("grass");
        let ball = wheel(r, k, v).rolling_resistance(own).material("steel");
        let mut w = built.body(floor).body(ball).build().expect("a sound scene");
        run(&mut w, 5.0, 0.5);
        at(&w)[0]
    };
    for (own, floors, pair, expected) in
        [(0.05, 0.0, None, 0.05), (0.05, 0.08, None, 0.08), (0.05, 0.08, Some(0.03), 0.03)]
    {
        let x = slow(own, floors, pair);
        assert!((x - way(expected)).abs() < 1e-9, "{x} {}", way(expected));
    }
}

/// Fixed steps of a millisecond: the moment of standstill is known to a step, its place to the square of one.
#[test]
fn fixed_steps_roll_alike() {
    let (r, k, c, v) = (0.5, 0.5, 0.05, 1.0);
    let a = c * G / (r * (1.0 + k));
    let way = v * v / (2.0 * a);
    for (solver, room) in [(SteppingSolver::Exact, 1e-6), (SteppingSolver::Iterative, 1e-3)] {
        let mut settings = Settings::time_stepping();
        if let Some(choice) = &mut settings.time_stepping {
            choice.solver = solver;
        }
        let mut w = world(settings.clone(), wheel(r, k, v).rolling_resistance(c), 0.0);
        run(&mut w, 0.5 * v / a, 1e-3);
        let [x, speed, _] = at(&w);
        let t = w.time();
        let expected = v * t - 0.5 * a * t * t;
        assert!((x - expected).abs() < room * way, "{solver:?}: {x} {expected}");
        assert!((speed - (v - a * t)).abs() < room * v, "{solver:?}: {speed} {}", v - a * t);
        run(&mut w, v / a, 1e-3);
        let [x, speed, turning] = at(&w);
        assert!((x - way).abs() < room * way, "{solver:?}: {x} {way}");
        run(&mut w, 2.0, 1e-3);
        assert!((at(&w)[0] - x).abs() < 1e-9, "{solver:?}: {x} {:?} {speed} {turning}", at(&w));
        // On a slope just below the angle of rolling it does not creep.
        let mut w = world(settings, wheel(r, k, 0.0).rolling_resistance(c), (c / r).atan() * 0.99);
        run(&mut w, 1.0, 1e-3);
        let start = at(&w)[0];
        run(&mut w, 4.0, 1e-3);
        let room = if solver == SteppingSolver::Exact { 1e-9 } else { 1e-6 };
        assert!((at(&w)[0] - start).abs() < room, "{solver:?}: {start} {:?}", at(&w));
    }
}

#[test]
fn an_impact_takes_turning_and_never_gives_energy() {
    let (r, m, e, c) = (0.3, 1.5, 0.6, 0.02);
    let moment = 0.5 * m * r * r;
    let ball = Body::ball(r).mass(m).moment(moment).at(0.0, r + 1.0).spin(10.0).restitution(e);
    let ball = ball.rolling_resistance(c);
    let floor = Body::block(200.0, 1.0).fixed().at(0.0, -0.5).restitution(1.0);
    let mut w = World::builder().settings(located()).gravity(G).body(floor).body(ball).build().unwrap();
    let fall = (2.0 / G).sqrt();
    w.advance(fall + 0.1).unwrap();
    let impulse = (1.0 + e) * m * G * fall;
    let turning = 10.0 - c * impulse / moment;
    assert!((at(&w)[2] - turning).abs() < 1e-9, "{} {turning}", at(&w)[2]);
}

#[test]
fn what_has_none_refuses_it() {
    let built = |length: f64, settings: Settings| {
        World::builder().settings(settings).body(Body::ball(1.0).rolling_resistance(length)).build()
    };
    let bad = built(-0.1, Settings::default()).unwrap_err();
    assert!(bad.to_string().contains("bodies[0].rolling_resistance"), "{bad}");
    assert!(built(f64::NAN, Settings::default()).is_err());
    let refused = built(0.1, Settings::backtracking()).unwrap_err();
    assert!(refused.to_string().contains("located clock"), "{refused}");
    let mut running = World::builder()
        .body(Body::ball(1.0).named("a"))
        .body(Body::ball(1.0).at(5.0, 0.0).named("b"))
        .build()
        .unwrap();
    let pair = |length: f64| SurfacePair { rolling_resistance: Some(length), ..SurfacePair::default() };
    assert!(running.edit().set_surfaces("a", "b", pair(-1.0)).is_err());
    assert!(running.edit().set_surfaces("a", "b", pair(0.1)).is_ok());
}
