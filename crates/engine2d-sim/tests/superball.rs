//! Tangential restitution against the closed form of a ball on a plane \[Garwin 1969, Kinematics of an Ultraelastic Rough Ball\].
//!
//! With the moment `k m r²`, the speed `u = v + r ω` of the point that touches, and restitutions `e`, `e_t`: friction turns it round,
//! `u⁺ = −e_t u`, and its impulse `J` changes both `m v` and, at the arm `r`, `k m r² ω`:
//!
//! ```text
//! v⁺ = v − (1 + e_t) u k/(1 + k) ,   r ω⁺ = r ω − (1 + e_t) u/(1 + k) ,   if |u| k/(1 + k) ≤ μ |v_n| and e_t |u| k/(1 + k) ≤ μ e |v_n|
//! v⁺ = v − sign(u) μ (1 + e) |v_n| ,                                      if it slides all through
//! ```
#![allow(clippy::unwrap_used)]

use engine2d_sim::{Body, ImpactLaw, Settings, SurfacePair, World};

const R: f64 = 0.5;

/// A ball and its floor at y = 0, with the ceiling at y = 3.
fn world((k, mu): (f64, f64), [e, back]: [f64; 2], [vx, vy, spin]: [f64; 3], law: ImpactLaw) -> World {
    let rough = |body: Body| body.friction(mu).restitution(e).tangential_restitution(back);
    let ball = Body::ball(R).moment(k * R * R).at(0.0, 1.5).velocity(vx, vy).spin(spin);
    World::builder()
        .settings(Settings { impact_law: law, ..Settings::default() })
        .body(rough(Body::block(60.0, 1.0).fixed().at(0.0, -0.5)))
        .body(rough(Body::block(60.0, 1.0).fixed().at(0.0, 3.5)))
        .body(rough(ball))
        .build()
        .unwrap()
}

fn motion(world: &World) -> [f64; 3] {
    let ball = world.body(2).unwrap();
    [ball.velocity().x, ball.velocity().y, ball.spin()]
}

fn assert_near(found: [f64; 3], expected: [f64; 3]) {
    let off = found.iter().zip(expected).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
    assert!(off < 1e-9, "{found:?} {expected:?}");
}

#[test]
fn an_impact_turns_sliding_round_as_far_as_friction_holds() {
    for law in [ImpactLaw::Poisson, ImpactLaw::Newton, ImpactLaw::Stronge] {
        for k in [0.4, 0.5, 1.0] {
            for ([e, back], v, spin) in [
                ([1.0, 1.0], 1.0, 0.0),
                ([0.8, 0.5], 2.0, 3.0),
                ([0.5, 0.3], -1.0, 0.7),
                ([0.6, 0.0], 1.0, -5.0),
            ] {
                let mut rolls = world((k, 3.0), [e, back], [v, -2.0, spin], law);
                rolls.advance(0.8).unwrap();
                let u = v + R * spin;
                let expected = [
                    v - (1.0 + back) * u * k / (1.0 + k),
                    2.0 * e,
                    spin - (1.0 + back) * u / (R * (1.0 + k)),
                ];
                assert_near(motion(&rolls), expected);
                // A little friction slides all through, and nothing turns round.
                let mu = 0.02;
                let mut slides = world((k, mu), [e, back], [v, -2.0, spin], law);
                slides.advance(0.8).unwrap();
                let change = -u.signum() * mu * (1.0 + e) * 2.0;
                assert_near(motion(&slides), [v + change, 2.0 * e, spin + change / (k * R)]);
            }
        }
    }
}

/// A ball of `k = 2/5` thrown under a table without spin: floor, table, floor, and it comes back with `333/343` of its speed. No energy is
/// lost.
#[test]
fn a_superball_comes_back_from_under_the_table() {
    let (v, fall) = (0.8, -4.0);
    let mut world = world((0.4, 2.0), [1.0, 1.0], [v, fall, 0.0], ImpactLaw::Poisson);
    let before = world.energy().total();
    // From the middle down 1, up 2, down 2, and up again by less than 1.
    let report = world.advance(5.5 / 4.0).unwrap();
    assert_eq!(report.events().iter().filter(|event| event.kind() == "collision").count(), 3);
    assert!((world.body(2).unwrap().velocity().x + 333.0 / 343.0 * v).abs() < 1e-9);
    assert!((report.energy - before).abs() < 1e-12 * before);
}

/// Of a pair with its own; without friction there is nothing to turn it round.
#[test]
fn pairs_have_their_own() {
    let mut paired = world((0.5, 2.0), [1.0, 0.0], [1.0, -2.0, 0.0], ImpactLaw::Poisson);
    let pair = SurfacePair { tangential_restitution: Some(1.0), ..SurfacePair::default() };
    paired.edit().set_surfaces(0, 2, pair).unwrap();
    paired.advance(0.8).unwrap();
    assert!((motion(&paired)[0] - 1.0 / 3.0).abs() < 1e-9);
    let mut smooth = world((0.5, 0.0), [1.0, 1.0], [1.0, -2.0, 0.0], ImpactLaw::Poisson);
    smooth.advance(0.8).unwrap();
    assert_eq!(motion(&smooth), [1.0, 2.0, 0.0]);
}

/// Other clocks refuse it, and so are numbers beyond 0 and 1.
#[test]
fn what_is_not_known_is_refused() {
    for settings in [Settings::backtracking(), Settings::time_stepping()] {
        let built =
            World::builder().settings(settings).body(Body::ball(R).tangential_restitution(0.5)).build();
        let error = built.unwrap_err().to_string();
        assert!(error.contains("bodies[0].tangential_restitution"), "{error}");
    }
    for share in [-0.1, 1.1, f64::NAN] {
        let error = World::builder().body(Body::ball(R).tangential_restitution(share)).build().unwrap_err();
        assert!(error.to_string().contains("bodies[0].tangential_restitution"), "{error}");
    }
}
