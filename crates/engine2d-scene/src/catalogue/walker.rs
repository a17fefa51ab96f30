//! A walking machine: legs on cranks, each through a slot of the chassis.

use crate::body::Body;
use crate::connector::Connector;
use crate::force_law::ForceLaw;
use crate::joint::{Drive, Ends, Fitting, Motor, PointOnLine};
use crate::scene::{Scene, View};
use crate::shape::Shape;
use engine2d_math::{Vec2, trig};

/// Radius of a crank (length).
const CRANK: f64 = 0.12;

/// Depth of a slot below the crank's axle (length).
const SLOT: f64 = 0.4;

/// Length of a leg between its crank pin and its foot (length).
const LEG: f64 = 1.3;

/// Radius of a foot (length).
const FOOT: f64 = 0.06;

/// Half the distance of the two cranks (length).
const BASE: f64 = 0.8;

/// A walker of four legs: motors turn two cranks (radians/time), each with two legs half a turn apart that pass through a
/// swivelling slot of the chassis. A leg that is below its axle stands and pushes, the other swings forward; the feet hold by
/// friction.
#[must_use]
pub fn walker(rate: f64) -> Scene {
    let mut scene = Scene::new("walker");
    scene.duration = 12.0;
    scene.view = Some(View { left: -2.5, bottom: -0.6, right: 9.5, top: 2.6 });
    let of_walker = |mut body: Body| {
        body.groups = vec!["walker".to_owned()];
        body.collides_with = Some(vec!["ground".to_owned()]);
        body.restitution(0.0).friction(0.8)
    };
    let mut floor = Body::new(Shape::Block { width: 30.0, height: 1.0 }).named("floor").fixed().at(8.0, -0.5);
    floor.groups = vec!["ground".to_owned()];
    scene.bodies.push(floor.restitution(0.0).friction(0.8));
    // Both legs of a crank stand: their pins are level with the axle.
    let lean = trig::atan2(CRANK, SLOT);
    let (sin, cos) = trig::sin_cos(lean);
    let height = FOOT + LEG * cos;
    let chassis =
        Body::new(Shape::Block { width: 2.0 * BASE + 0.5, height: 0.25 }).named("chassis").mass(12.0);
    scene.bodies.push(of_walker(chassis.at(0.0, height)));
    for (end, x) in [("rear", -BASE), ("front", BASE)] {
        let crank = format!("{end}_crank");
        let shape = Shape::Block { width: 2.0 * CRANK + 0.08, height: 0.08 };
        scene.bodies.push(of_walker(Body::new(shape).named(crank.as_str()).mass(0.5).at(x, height)));
        scene.connectors.push(Connector::pin("chassis", [x, 0.0], crank.as_str(), [0.0; 2]));
        scene.connectors.push(Connector::Motor(Motor {
            ends: Ends::new("chassis", [0.0; 2], crank.as_str(), [0.0; 2]),
            drive: Drive::Angle,
            axis: None,
            speed: Some(rate),
            place: None,
            gain: None,
            top_speed: None,
            limit: Some(60.0),
            fitting: Fitting::named(format!("{end}_motor")),
        }));
        for (which, side) in [("a", 1.0), ("b", -1.0)] {
            let name = format!("{end}_leg_{which}");
            let pin = Vec2::new(x + side * CRANK, height);
            let down = Vec2::new(-side * sin, -cos);
            let middle = pin + down * (0.5 * LEG);
            let leg = Body::new(Shape::Capsule { length: LEG, radius: FOOT }).named(name.as_str()).mass(0.8);
            scene.bodies.push(of_walker(leg.at(middle.x, middle.y).angle(trig::atan2(down.y, down.x))));
            let ends = [[side * CRANK, 0.0], [-0.5 * LEG, 0.0]];
            scene.connectors.push(Connector::pin(crank.as_str(), ends[0], name.as_str(), ends[1]));
            scene.connectors.push(Connector::PointOnLine(PointOnLine {
                ends: Ends::new(name.as_str(), [0.0; 2], "chassis", [x, -SLOT]),
                axis: [1.0, 0.0],
                sticking: false,
                fitting: Fitting::named(format!("{end}_slot_{which}")),
            }));
        }
    }
    scene.force_laws.push(ForceLaw::gravity(9.81));
    scene
}
