//! What the observers write is what the world was.

use engine2d_math::Vec2;
use engine2d_record::{
    EventWriter, Observer, ReplayRecorder, SummaryObserver, SvgOptions, TrajectoryWriter, WatchError, digest,
    run, write_svg,
};
use engine2d_scene::{Body, ForceLaw, Scene, Shape};
use engine2d_watch::{DisplayList, Shown};
use serde_json::Value;

fn built_in(name: &str) -> Scene {
    Scene::built_in(name).expect("a built-in scene")
}

#[test]
fn the_table_holds_the_bits_of_the_state() {
    let scene = built_in("double_pendulum");
    let mut world = scene.to_world().unwrap();
    let mut table = Vec::new();
    run(&mut world, 0.5, 0.01, &mut [&mut TrajectoryWriter::new(&mut table)]).unwrap();
    let table = String::from_utf8(table).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((rows.len(), rows[0].len()), (52, 4 + 2 * 6));
    let last: Vec<f64> = rows[51].iter().map(|word| word.parse().unwrap()).collect();
    assert_eq!(last[0].to_bits(), world.time().to_bits());
    let body = world.body("bar1").unwrap();
    let expected = [
        body.position().x,
        body.position().y,
        body.angle(),
        body.velocity().x,
        body.velocity().y,
        body.spin(),
    ];
    assert_eq!(last[10..].iter().map(|x| x.to_bits()).collect::<Vec<_>>(), expected.map(f64::to_bits));
}

#[test]
fn events_come_in_order_of_time_with_their_place() {
    let scene = built_in("ball_on_floor");
    let mut world = scene.to_world().unwrap();
    let mut lines = Vec::new();
    run(&mut world, 8.0, 0.025, &mut [&mut EventWriter::new(&mut lines)]).unwrap();
    let events: Vec<Value> =
        String::from_utf8(lines).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let times: Vec<f64> = events.iter().map(|event| event["time"].as_f64().unwrap()).collect();
    assert!(times.windows(2).all(|pair| pair[0] <= pair[1]));
    assert_eq!(events.last().unwrap()["event"], "accumulation");
    assert_eq!(events[events.len() - 2]["event"], "sustained");
    let told = |event: &&Value| event["event"] != "sustained" && event["event"] != "accumulation";
    let mut of_places = events.iter().filter(told);
    assert!(of_places.clone().all(|event| event["point"][1].as_f64().unwrap().abs() < 1e-9));
    assert_eq!(of_places.next_back().unwrap()["event"], "contact_begin");
    let first = &events[0];
    let (before, after) =
        (first["velocity_before"].as_f64().unwrap(), first["velocity_after"].as_f64().unwrap());
    assert!((after + 0.7 * before).abs() < 1e-9, "the elasticity is 0.7");
}

#[test]
fn fixed_steps_are_recorded_with_the_names_of_their_bodies() {
    let world = built_in("double_pendulum").to_world().unwrap();
    let bodies = world.bodies().map(|body| body.id()).collect();
    let mut report = engine2d_sim::StepReport::default();
    report.events.push(engine2d_sim::Event::FixedSteps { time: 0.5, since: 0.25, energy: 2.0, bodies });
    let mut lines = Vec::new();
    EventWriter::new(&mut lines).step(&world, &report).unwrap();
    let line: Value = serde_json::from_slice(&lines).unwrap();
    let names: Vec<&str> = world.bodies().map(|body| body.name()).collect();
    assert_eq!(line["bodies"], serde_json::json!(names));
    assert_eq!(line["event"], "fixed_steps");
    assert_eq!((line["since"].as_f64(), line["energy"].as_f64()), (Some(0.25), Some(2.0)));
}

#[test]
fn equal_runs_have_equal_digests_and_different_ones_differ() {
    let scene = built_in("billiards");
    let final_digest = |until: f64| {
        let mut world = scene.to_world().unwrap();
        run(&mut world, until, 0.025, &mut []).unwrap();
        digest(&world)
    };
    assert_eq!(final_digest(1.0), final_digest(1.0));
    assert_ne!(final_digest(1.0), final_digest(1.025));
    assert_eq!(final_digest(1.0).len(), 16);
}

#[test]
fn the_summary_counts_what_happened() {
    let scene = built_in("stack");
    let mut world = scene.to_world().unwrap();
    let mut observer = SummaryObserver::new(&scene);
    run(&mut world, 1.0, 0.025, &mut [&mut observer]).unwrap();
    let summary = observer.summary();
    assert_eq!((summary.time_steps, summary.contacts_max, summary.collisions), (40, 10, 0));
    assert!(summary.worst_certificate < 1e-9 && summary.worst_penetration < 1e-9);
    assert!((summary.simulated_s - 1.0).abs() < 1e-12);
    assert!(summary.to_string().starts_with("stack\n  simulated"));
    assert!(!summary.to_string().contains("wall clock"), "no one gave the time it took");
}

#[test]
fn the_last_step_ends_at_the_time_asked_for() {
    let mut world = built_in("planet").to_world().unwrap();
    run(&mut world, 0.11, 0.025, &mut []).unwrap();
    assert_eq!(world.time(), 0.11);
    run(&mut world, 0.11, 0.025, &mut []).unwrap();
    assert_eq!(world.time(), 0.11);
}

#[test]
fn the_replay_thins_out_long_runs_and_cannot_be_broken_by_names() {
    let mut scene = Scene::new("</script><b>");
    let ball = Body::new(Shape::Ball { radius: 0.5 }).named("</script>").velocity(1.0, 0.0);
    scene.bodies.push(ball);
    let mut world = scene.to_world().unwrap();
    let mut replay = ReplayRecorder::new(&scene, 100.0);
    run(&mut world, 100.0, 0.01, &mut [&mut replay]).unwrap();
    let mut page = Vec::new();
    replay.write(&mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    assert_eq!(page.matches("</script>").count(), 2);
    let start = page.find("id=\"data\">").unwrap() + 10;
    let data: Value = serde_json::from_str(&page[start..start + page[start..].find('<').unwrap()]).unwrap();
    assert_eq!(data["bodies"][0]["name"], "</script>");
    let frames = data["frames"].as_array().unwrap().len();
    assert!((1900..=2402).contains(&frames), "{frames} frames");
    assert_eq!(data["view"].as_array().unwrap().len(), 4);
    assert!(data["view"][2].as_f64().unwrap() > 100.0, "the view holds the whole motion");
}

#[test]
fn a_picture_is_drawn_of_every_scene_even_of_none() {
    for scene in
        [Scene::new("nothing"), built_in("car"), built_in("roller_coaster"), built_in("rope_pendulum")]
    {
        let world = scene.to_world().unwrap();
        let mut picture = Vec::new();
        write_svg(&mut picture, &world, &SvgOptions::default()).unwrap();
        let picture = String::from_utf8(picture).unwrap();
        assert!(picture.ends_with("</svg>\n") && !picture.contains("NaN") && !picture.contains("inf"));
    }
}

#[test]
fn what_the_world_shows_is_drawn() {
    let mut scene = built_in("car");
    scene.duration = 0.1;
    let mut world = scene.to_world().unwrap();
    let mut display = DisplayList::default();
    display.show(Shown::Circle { center: Vec2::new(1.0, 2.0), radius: 0.5 }, f64::INFINITY);
    display.show(Shown::Line { ends: [Vec2::zeros(), Vec2::new(3.0, 1.0)] }, f64::INFINITY);
    let mut picture = Vec::new();
    let options = SvgOptions { shown: display.items(), ..SvgOptions::default() };
    write_svg(&mut picture, &world, &options).unwrap();
    assert_eq!(String::from_utf8(picture).unwrap().matches("class=\"shown\"").count(), 2);
    let mut replay = ReplayRecorder::new(&scene, 0.1);
    replay.display(display.items());
    run(&mut world, 0.1, 0.025, &mut [&mut replay]).unwrap();
    let mut page = Vec::new();
    replay.write(&mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    assert!(page.contains("\"circles\":[1.0,2.0,0.5]"), "a circle in every frame");
    assert!(page.contains("\"lines\":[0.0,0.0,3.0,1.0]"), "a line in every frame");
}

#[test]
fn observers_see_a_run_up_to_its_failure() {
    // Two bodies that attract each other meet at one point: the force has no direction there.
    let mut scene = Scene::new("singular");
    scene.settings.fidelity = engine2d_scene::Fidelity::Free;
    for name in ["a", "b"] {
        scene.bodies.push(Body::new(Shape::Ball { radius: 0.5 }).named(name));
    }
    scene.force_laws.push(ForceLaw::InverseSquareGravity { strength: 1.0, bodies: None });
    let mut world = scene.to_world().unwrap();
    let mut table = Vec::new();
    let outcome = run(&mut world, 1.0, 0.1, &mut [&mut TrajectoryWriter::new(&mut table)]);
    assert!(matches!(outcome, Err(WatchError::Simulation(_))));
    assert_eq!(table.iter().filter(|&&byte| byte == b'\n').count(), 2);
}

/// The data of the replay of a scene after a time.
fn replay_data(scene: &Scene, duration: f64) -> Value {
    let mut world = scene.to_world().expect("a sound scene");
    let mut replay = ReplayRecorder::new(scene, duration);
    run(&mut world, duration, 0.025, &mut [&mut replay]).expect("a run");
    let mut page = Vec::new();
    replay.write(&mut page).expect("memory");
    let page = String::from_utf8(page).expect("text");
    let start = page.find("id=\"data\">").expect("the data") + 10;
    serde_json::from_str(&page[start..start + page[start..].find('<').expect("an end")]).expect("JSON")
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

fn frames(data: &Value) -> &[Value] {
    data["frames"].as_array().expect("frames")
}

#[test]
fn the_replay_has_joints_with_what_acts_in_them() {
    let data = replay_data(&built_in("suspended_car"), 1.0);
    let joints = data["joints"].as_array().expect("joints");
    let of = |sort: &str| joints.iter().filter(|joint| joint["sort"] == sort).count();
    assert!(of("motor") == 4 && of("spring") >= 4, "{joints:?}");
    assert!(joints.iter().all(|joint| joint["bodies"].as_array().expect("bodies").len() == 2));
    let names: std::collections::BTreeSet<_> = joints.iter().map(|j| j["name"].to_string()).collect();
    assert_eq!(names.len(), joints.len(), "each can be told from the others in the graph's list");
    // Number, anchor, force, torque, segments, circles: entry by entry to the end.
    let frame = numbers(&frames(&data).last().expect("a frame")["machine"]);
    let (mut at, mut seen, mut driving, mut strokes) = (0, 0, 0, 0);
    while at < frame.len() {
        let joint = &joints[frame[at] as usize];
        assert!(frame[at + 1].abs() < 100.0 && frame[at + 2].abs() < 100.0, "an anchor in the scene");
        driving += usize::from(joint["sort"] == "motor" && frame[at + 5] != 0.0);
        let segments = frame[at + 6] as usize;
        let circles = frame[at + 7 + 4 * segments] as usize;
        strokes += segments + circles;
        at += 8 + 4 * segments + 3 * circles;
        seen += 1;
    }
    assert_eq!((at, seen), (frame.len(), joints.len()));
    assert!(driving == 4 && strokes > seen / 2, "motors push, and joints are drawn: {driving} {strokes}");
}

#[test]
fn the_replay_has_the_values_of_each_body_at_each_moment() {
    let data = replay_data(&built_in("ball_on_floor"), 0.3);
    let ball = data["bodies"].as_array().expect("bodies").iter().find(|b| b["name"] == "ball").expect("it");
    assert!(
        ball["mass"].as_f64() > Some(0.0) && ball["moment"].as_f64() > Some(0.0) && ball["fixed"] == false
    );
    let frames = frames(&data);
    let first = numbers(&frames[0]["poses"]);
    assert!(frames.len() > 10);
    for frame in frames {
        let t = frame["t"].as_f64().expect("a time");
        let (pose, rate) = (numbers(&frame["poses"]), numbers(&frame["rates"]));
        assert!(frame["kinetic"].as_f64() >= Some(0.0), "every column is there for a graph");
        assert_eq!((pose.len(), rate.len()), (3, 3), "of the movable bodies");
        assert!((rate[1] + 9.81 * t).abs() < 1e-5, "the velocity that the arrow shows: {} at {t}", rate[1]);
        assert!((pose[1] - first[1] + 0.5 * 9.81 * t * t).abs() < 1e-5);
    }
}

#[test]
fn the_replay_has_springs_with_their_length_and_forces_of_compliant_contact() {
    let data = replay_data(&built_in("spring_block"), 0.5);
    let spring = data["ties"].as_array().expect("ties").iter().find(|tie| tie["kind"] == "spring");
    let spring = spring.expect("a spring");
    assert!(spring["length"].as_f64() > Some(0.0) && spring["ends"].as_array().expect("ends").len() == 2);
    let data = replay_data(&built_in("block_on_slope"), 0.5);
    let last = numbers(&frames(&data).last().expect("a frame")["contacts"]);
    let (mut x, mut y) = (0.0, 0.0);
    for force in last.chunks(8) {
        (x, y) = (x + force[2], y + force[3]);
    }
    assert!(last.len() >= 16 && y > 0.0 && x != 0.0, "the slope carries the block, with friction: {last:?}");
}
