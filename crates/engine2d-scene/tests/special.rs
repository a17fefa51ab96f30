//! What only some bodies have: prescribed motion, gravity and damping of their own, groups, sensors, one-way platforms;
//! pairs of materials; events that stop.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_scene::{Scene, SceneError};
use engine2d_sim::{Event, World};
use serde_json::{Value, json};

fn scene(bodies: Value, more: Value) -> Value {
    let mut scene = json!({
        "format": "engine2d-scene", "version": 1, "bodies": bodies,
        "force_laws": [{ "type": "gravity", "strength": 10 }]
    });
    if let (Value::Object(scene), Value::Object(more)) = (&mut scene, more) {
        scene.extend(more);
    }
    scene
}

fn world(scene: &Value) -> World {
    let read = Scene::from_json(&scene.to_string()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(Scene::from_json(&read.to_json().expect("JSON")).expect("as written"), read);
    read.to_world().unwrap_or_else(|error| panic!("{error}"))
}

fn mistakes(scene: &Value) -> String {
    match Scene::from_json(&scene.to_string()) {
        Err(SceneError::Invalid(mistakes)) => mistakes.to_string(),
        other => panic!("{other:?}"),
    }
}

fn height(world: &World, name: &str) -> f64 {
    world.body(name).expect("a body").position().y
}

fn floor() -> Value {
    json!({ "name": "floor", "shape": { "type": "block", "width": 20, "height": 1 }, "fixed": true, "position": [0, -0.5] })
}

fn ball(name: &str, x: f64, y: f64, more: Value) -> Value {
    let mut ball = json!({ "name": name, "shape": { "type": "ball", "radius": 0.5 }, "position": [x, y] });
    if let (Value::Object(ball), Value::Object(more)) = (&mut ball, more) {
        ball.extend(more);
    }
    ball
}

#[test]
fn bodies_have_gravity_and_damping_of_their_own() {
    let bodies = json!([
        ball("falls", 0.0, 0.0, json!({})),
        ball("floats", 3.0, 0.0, json!({ "gravity_scale": 0 })),
        ball("rises", 6.0, 0.0, json!({ "gravity_scale": -0.5 })),
        ball("slows", 9.0, 0.0, json!({ "gravity_scale": 0, "velocity": [0, 2], "damping": 3 })),
    ]);
    let mut world = world(&scene(bodies, json!({})));
    world.advance(1.0).unwrap();
    assert!((height(&world, "falls") + 5.0).abs() < 1e-9);
    assert_eq!(height(&world, "floats"), 0.0);
    assert!((height(&world, "rises") - 2.5).abs() < 1e-9);
    let expected = 2.0 / 3.0 * (1.0 - (-3.0_f64).exp());
    assert!((height(&world, "slows") - expected).abs() < 1e-8);
}

#[test]
fn groups_decide_who_collides() {
    let bodies = json!([
        floor(),
        ball("player", 0.0, 2.0, json!({ "groups": ["players"], "elasticity": 0 })),
        ball("spark", 3.0, 2.0, json!({ "groups": ["sparks"], "collides_with": ["sparks", "players"] })),
        ball("ghost", 6.0, 2.0, json!({ "collides_with": [] })),
    ]);
    let mut whole = scene(bodies, json!({}));
    whole["bodies"][0]["groups"] = json!(["ground"]);
    let mut world = world(&whole);
    world.advance(3.0).unwrap();
    assert!((height(&world, "player") - 0.5).abs() < 1e-2);
    assert!(height(&world, "spark") < -10.0 && height(&world, "ghost") < -10.0);
    whole["bodies"][2]["collides_with"] = json!(["sprks"]);
    let told = mistakes(&whole);
    assert!(
        told.contains("bodies[2].collides_with[0]: no group is named \"sprks\"; did you mean \"sparks\"?"),
        "{told}"
    );
}

#[test]
fn sensors_and_one_way_platforms_come_from_the_file() {
    let bodies = json!([
        floor(),
        { "name": "gate", "shape": { "type": "block", "width": 4, "height": 1 }, "fixed": true, "position": [0, 4],
          "sensor": true },
        { "name": "shelf", "shape": { "type": "block", "width": 4, "height": 0.2 }, "fixed": true, "position": [0, 2],
          "one_way": [0, 1] },
        ball("jumper", 0.0, 0.5, json!({ "velocity": [0, 9.0], "elasticity": 0 })),
    ]);
    let mut world = world(&scene(bodies, json!({})));
    let report = world.advance(3.0).unwrap();
    let begins = report.events().iter().filter(|e| matches!(e, Event::SensorBegin { .. })).count();
    assert_eq!(begins, 1, "{:?}", report.events());
    assert!((height(&world, "jumper") - 2.6).abs() < 1e-6, "{}", height(&world, "jumper"));
}

#[test]
fn prescribed_motions_carry_what_lies_on_them() {
    let lift = |moving: Value| json!({ "name": "lift", "shape": { "type": "block", "width": 4, "height": 1 }, "position": [0, -0.5], "moving": moving });
    let after = |moving: Value, time: f64| {
        let mut world = world(&scene(json!([lift(moving), ball("load", 0.0, 0.5, json!({}))]), json!({})));
        world.advance(time).unwrap();
        [height(&world, "lift"), height(&world, "load")]
    };
    for (moving, time, rise) in [
        (json!({ "type": "steady", "velocity": [0, 0.25] }), 2.0, 0.5),
        (json!({ "type": "oscillation", "amplitude": [0, 0.2], "period": 4 }), 1.0, 0.2),
        (
            json!({ "type": "stops", "stops": [{ "time": 2, "by": [0, 1] }, { "time": 5 }], "again": true }),
            7.0,
            1.0,
        ),
    ] {
        let [lift, load] = after(moving.clone(), time);
        assert!(
            (lift + 0.5 - rise).abs() < 1e-9 && (load - 0.5 - rise).abs() < 1e-8,
            "{moving}: {lift} {load}"
        );
    }
    let mut wrong = scene(
        json!([lift(json!({ "type": "stops", "stops": [{ "time": 1, "by": [1, 0] }], "again": true }))]),
        json!({}),
    );
    wrong["bodies"][0]["velocity"] = json!([1, 0]);
    let told = mistakes(&wrong);
    assert!(told.contains("bodies[0].velocity") && told.contains("moving.stops[0].by"), "{told}");
}

#[test]
fn what_a_clock_does_not_take_is_refused() {
    for (field, value) in [
        ("moving", json!({ "type": "steady", "velocity": [1, 0] })),
        ("sensor", json!(true)),
        ("one_way", json!([0, 1])),
    ] {
        let bodies = json!([ball("a", 0.0, 0.0, json!({ field: value }))]);
        let told = mistakes(&scene(bodies, json!({ "settings": { "clock": "backtracking" } })));
        assert!(told.contains(&format!("bodies[0].{field}: the backtracking clock")), "{told}");
    }
}

#[test]
fn pairs_of_materials_go_before_what_each_body_has() {
    let materials = json!({
        "ice": { "elasticity": 0.1, "friction": 0.02 }, "steel": { "elasticity": 0.9, "friction": 0.5 }
    });
    let mut table = floor();
    table["material"] = json!("ice");
    let bodies = json!([
        table,
        ball("drop", 0.0, 5.5, json!({ "material": "steel" })),
        { "name": "block", "shape": { "type": "block", "width": 1, "height": 1 }, "position": [4, 0.5], "velocity": [2, 0],
          "material": "steel" },
    ]);
    let pairs = json!([{ "between": ["steel", "ice"], "elasticity": 0.5, "friction": { "static": 0.4, "kinetic": 0.25 } }]);
    let mut whole = scene(bodies, json!({ "materials": materials, "material_pairs": pairs }));
    let mut run = world(&whole);
    let report = run.advance(1.5).unwrap();
    let bounce = report.events().iter().find_map(|event| match event {
        Event::Collision { velocity_before, velocity_after, .. } if *velocity_before < -1.0 => {
            Some(-velocity_after / velocity_before)
        }
        _ => None,
    });
    assert!((bounce.unwrap() - 0.5).abs() < 1e-9, "{bounce:?}");
    let way = run.body("block").unwrap().position().x - 4.0;
    assert!((way - 4.0 / (2.0 * 0.25 * 10.0)).abs() < 1e-9, "v²/(2 μ g): {way}");
    whole["material_pairs"] = json!([
        { "between": ["steel", "ise"] }, { "between": ["steel", "ice"] }, { "between": ["ice", "steel"], "elasticity": 2 }
    ]);
    let told = mistakes(&whole);
    assert!(
        told.contains("material_pairs[0].between[1]: no material is named \"ise\"; did you mean \"ice\"?"),
        "{told}"
    );
    assert!(told.contains("material_pairs[2].between: given twice") && told.contains("elasticity"), "{told}");
}

#[test]
fn compliant_contact_has_pairs_and_choices_of_its_own() {
    let bounce = |more: Value| {
        let materials = json!({ "a": { "young": 1e6 }, "b": { "young": 1e6 } });
        let mut table = floor();
        table["material"] = json!("a");
        let bodies = json!([table, ball("drop", 0.0, 1.0, json!({ "material": "b", "elasticity": 1 }))]);
        let settings = json!({
            "contact_model": "compliant", "compliant": { "z_eps": 1e-9, "damping": { "type": "calibrated" } }
        });
        let mut whole = scene(bodies, json!({ "materials": materials, "settings": settings }));
        whole["bodies"][0]["elasticity"] = json!(1);
        if let (Value::Object(whole), Value::Object(more)) = (&mut whole, more) {
            whole.extend(more);
        }
        let mut world = world(&whole);
        let mut top = 0.0_f64;
        for _ in 0..40 {
            world.advance(0.0125).unwrap();
            if world.time() > 0.34 {
                top = top.max(world.body("drop").unwrap().velocity().y);
            }
        }
        top
    };
    let (own, pair) = (
        bounce(json!({})),
        bounce(json!({ "material_pairs": [{ "between": ["a", "b"], "elasticity": 0.5 }] })),
    );
    assert!(own > 2.9 && (1.3..1.7).contains(&pair), "{own} {pair}");
    let told = mistakes(&scene(json!([floor()]), json!({ "settings": { "compliant": { "z_eps": 1e-9 } } })));
    assert!(told.contains("settings.compliant: this with rigid contact is not allowed"), "{told}");
}

#[test]
fn an_event_may_stop_the_run() {
    let events = json!([
        { "name": "half way", "body": "drop", "coordinate": "y", "crosses": 15 },
        { "name": "down", "body": "drop", "coordinate": "y", "crosses": 0, "then": "stop" },
    ]);
    let mut world = world(&scene(json!([ball("drop", 0.0, 20.0, json!({}))]), json!({ "events": events })));
    let report = world.advance(5.0).unwrap();
    assert_eq!(report.stopped_by.as_deref(), Some("down"));
    assert!((world.time() - 2.0).abs() < 1e-9 && height(&world, "drop").abs() < 1e-9);
    assert_eq!(report.events().len(), 2);
    let report = world.advance(1.0).unwrap();
    assert!(report.stopped_by.is_none() && (world.time() - 3.0).abs() < 1e-12, "it goes on from there");
}

#[test]
fn one_name_twice_is_two_bodies_of_different_names() {
    let read = Scene::from_json(
        &scene(json!([ball("a", 0.0, 0.0, json!({})), ball("A", 3.0, 0.0, json!({}))]), json!({}))
            .to_string(),
    );
    let read = read.unwrap();
    assert!(
        read.warnings().iter().any(|w| w.to_string().contains("bodies[1].name")),
        "{:?}",
        read.warnings()
    );
    let world = read.to_world().unwrap();
    assert_eq!(world.bodies().map(|body| body.name().to_owned()).collect::<Vec<_>>(), ["a", "A 2"]);
}

#[test]
fn drawn_bodies_stand_where_they_are_drawn() {
    let text = r#"{
        "format": "engine2d-scene", "version": 1,
        "bodies": [
            { "shape": { "type": "svg_path", "d": "M100-100 h400 v-300 h-400 z m100-100 h100 v-100 h-100 z",
                         "scale": 0.01, "fill_rule": "evenodd" }, "origin": "shape" },
            { "shape": { "type": "ellipse", "width": 4, "height": 2 }, "position": [-9, 1] }
        ]
    }"#;
    let scene = Scene::from_json(text).unwrap();
    assert_eq!(Scene::from_json(&scene.to_json().unwrap()).unwrap(), scene);
    let world = scene.to_world().unwrap();
    let bodies: Vec<_> = world.bodies().collect();
    let at = |x: f64, y: f64| bodies.iter().map(move |b| b.collision_body().contains_point([x, y]).unwrap());
    assert_eq!(at(1.5, 3.5).collect::<Vec<_>>(), [true, false]);
    assert_eq!(at(2.5, 2.5).collect::<Vec<_>>(), [false, false], "the hole");
    assert_eq!(at(-10.9, 1.0).collect::<Vec<_>>(), [false, true]);
    // The whole rectangle less its hole: 12 - 1, about (3, 2.5) and (2.5, 2.5).
    let x = (12.0 * 3.0 - 2.5) / 11.0;
    assert!((bodies[0].position().x - x).abs() < 1e-12 && (bodies[0].position().y - 2.5).abs() < 1e-12);
    assert_eq!([bodies[1].position().x, bodies[1].position().y], [-9.0, 1.0]);
    for (from, to, expected) in [
        ("M100-100 h400", "M100-100 x400", "bodies[0].shape: the path data at byte 9: only the commands"),
        ("\"scale\": 0.01", "\"scale\": 0", "bodies[0].shape.scale: 0.0 is not allowed: scale must be > 0"),
        ("evenodd", "odd", "bodies[0].shape.fill_rule: \"odd\" is not a choice here"),
        ("\"width\": 4", "\"width\": -4", "bodies[1].shape.width: -4.0 is not allowed: width must be > 0"),
    ] {
        assert!(text.contains(from));
        let told = Scene::from_json(&text.replace(from, to)).unwrap_err().to_string();
        assert!(told.contains(expected), "{told}");
    }
}

/// A wheel that rolls: its own rolling resistance, else its material's; that of a pair of materials before both.
#[test]
fn wheels_have_rolling_resistance() {
    let wheel = |more: Value| ball("wheel", 0.0, 0.5, more);
    let start = json!({ "velocity": [1, 0], "spin": -2, "friction": 0.8 });
    let with = |more: Value| {
        let (mut all, Value::Object(more)) = (start.clone(), more) else { unreachable!() };
        all.as_object_mut().unwrap().extend(more);
        wheel(all)
    };
    let ground = |more: Value| {
        let (mut all, Value::Object(more)) = (floor(), more) else { unreachable!() };
        let all_of = all.as_object_mut().unwrap();
        all_of.insert("friction".to_owned(), json!(0.8));
        all_of.extend(more);
        all
    };
    // It stops after v² r (1 + k)/(2 c g), k = 1/2 of a disc.
    let way = |c: f64| 0.5 * 1.5 / (2.0 * c * 10.0);
    let x = |bodies: Value, more: Value| {
        let mut world = world(&scene(bodies, more));
        world.advance(5.0).unwrap();
        world.body("wheel").unwrap().position().x
    };
    let own = x(json!([ground(json!({})), with(json!({ "rolling_resistance": 0.05 }))]), json!({}));
    assert!((own - way(0.05)).abs() < 1e-9, "{own}");
    let materials =
        json!({ "rubber": { "rolling_resistance": 0.04 }, "sand": { "rolling_resistance": 0.1 } });
    let bodies = json!([ground(json!({ "material": "sand" })), with(json!({ "material": "rubber" }))]);
    let shared = x(bodies.clone(), json!({ "materials": materials.clone() }));
    assert!((shared - way(0.1)).abs() < 1e-9, "{shared}");
    let pairs = json!([{ "between": ["rubber", "sand"], "rolling_resistance": 0.06 }]);
    let paired = x(bodies, json!({ "materials": materials, "material_pairs": pairs }));
    assert!((paired - way(0.06)).abs() < 1e-9, "{paired}");
    let told =
        |more: Value| mistakes(&scene(json!([floor(), with(json!({ "rolling_resistance": 0.05 }))]), more));
    assert!(
        told(json!({ "settings": { "clock": "backtracking" } })).contains("bodies[1].rolling_resistance")
    );
    assert!(told(json!({ "settings": { "contact_model": "compliant" } })).contains("rolling_resistance"));
    let negative = scene(json!([with(json!({ "rolling_resistance": -1 }))]), json!({}));
    assert!(mistakes(&negative).contains("bodies[0].rolling_resistance"));
}

/// A rod that slides and sticks within its impact: each law leaves it another normal velocity, and the default is Poisson's.
#[test]
fn impacts_follow_the_law_of_the_settings() {
    let rod = json!({
        "name": "rod", "shape": { "type": "block", "width": 0.05, "height": 2 }, "position": [0, 1.3], "angle": -0.47,
        "velocity": [-0.4, -3], "friction": 0.9, "elasticity": 0.5
    });
    let rough = || {
        let mut floor = floor();
        floor
            .as_object_mut()
            .unwrap()
            .extend([("friction".to_owned(), json!(0.9)), ("elasticity".to_owned(), json!(1))]);
        floor
    };
    let with = |settings: Value| {
        let mut scene = scene(json!([rough(), rod]), json!({ "settings": settings }));
        scene["force_laws"] = json!([]);
        scene
    };
    let rise = |settings: Value| {
        let mut world = world(&with(settings));
        world.advance(0.3).unwrap();
        world.body("rod").unwrap().velocity().y
    };
    let [default, poisson, newton, stronge] = [
        json!({}),
        json!({ "impact_law": "poisson" }),
        json!({ "impact_law": "newton" }),
        json!({ "impact_law": "stronge" }),
    ]
    .map(rise);
    assert_eq!(default.to_bits(), poisson.to_bits());
    assert!(
        (newton - poisson).abs() > 1e-3 && (stronge - poisson).abs() > 1e-3,
        "{poisson} {newton} {stronge}"
    );
    for clock in ["backtracking", "time_stepping"] {
        let told = mistakes(&with(json!({ "clock": clock, "impact_law": "stronge" })));
        assert!(told.contains("settings.impact_law") && told.contains("located clock"), "{told}");
    }
    assert!(mistakes(&with(json!({ "impact_law": "hertz" }))).contains("impact_law"));
}
