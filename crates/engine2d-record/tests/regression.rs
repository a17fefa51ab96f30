//! Motions as texts to commit: they come back, and each difference is told where it is.

use engine2d_record::regression::{
    CheckError, Difference, MotionRecord, check, compare, reason, write_overlay,
};
use engine2d_record::{NetworkWriter, TrajectoryWriter, run};
use engine2d_scene::Scene;

fn ball() -> (Scene, MotionRecord) {
    let scene = Scene::built_in("ball_on_floor").expect("a built-in scene");
    let record = MotionRecord::of(&scene, Some(1.0)).expect("a motion");
    (scene, record)
}

/// The first difference of a motion and a changed copy of it.
fn changed(change: impl Fn(&mut MotionRecord)) -> Option<Difference> {
    let (_, record) = ball();
    let mut other = record.clone();
    change(&mut other);
    compare(&record, &other, 0.0)
}

#[test]
fn a_motion_comes_back_from_its_text() {
    let (scene, record) = ball();
    assert_eq!(record.samples.len(), 41, "the start and forty parts");
    assert!(!record.events.is_empty());
    let text = record.to_text("scenes/<ball>.json", "says \"why\"");
    assert_eq!(MotionRecord::from_text(&text).expect("a text of its own"), record);
    assert_eq!(reason(&text).as_deref(), Some("says \"why\""));
    assert_eq!(reason("until 1"), None);
    check(&scene, &text, 0.0, None).expect("the same motion");
    check(&scene, &text, 0.0, Some(0.3)).expect("the same beginning");
}

#[test]
fn damaged_texts_are_refused_at_their_line() {
    let text = ball().1.to_text("ball", "first");
    for (from, to, line, problem) in [
        ("expression: engine2d motion 1", "expression: engine2d motion 9", 4, "\"engine2d motion 9\" found"),
        ("until 1", "until one", 6, "is not a number"),
        ("interval ", "intervals ", 7, "\"intervals\" is not known here"),
        ("fields x", "fields z", 8, "\"fields\" is not known here"),
        ("body \"ball\"", "body ball", 9, "is not a name in quotes"),
        ("sample ", "  ", 10, "a state before the first sample"),
        ("  0", "  O", 11, "is not a number"),
    ] {
        let damaged = text.replacen(from, to, 1);
        assert_ne!(damaged, text, "{from} is not there");
        let error = MotionRecord::from_text(&damaged).expect_err(from);
        assert!(error.line == line || from == "sample ", "{from}: {error}");
        assert!(error.problem.contains(problem) || from == "sample ", "{from}: {error}");
    }
    let half = &text[..text.find("bits ").expect("bits")];
    let error = MotionRecord::from_text(half).expect_err("without bits").to_string();
    assert!(error.contains("it ends too early"), "{error}");
    let count = text.replacen(": ", " ", 9);
    assert!(MotionRecord::from_text(&count).is_err(), "a heading or a count without its value");
}

#[test]
fn the_first_difference_is_told_where_it_is() {
    assert_eq!(changed(|_| {}), None);
    type Change<'a> = &'a dyn Fn(&mut MotionRecord);
    let cases: [(Change<'_>, &str, &str); 8] = [
        (&|r| r.samples[3].bodies[0][1] += 1e-9, "body \"ball\"", "y"),
        (&|r| r.samples[3].time += 1e-9, "the samples", "time"),
        (&|r| r.samples.truncate(9), "the run", "end"),
        (&|r| r.samples.push(r.samples[40].clone()), "the run", "end"),
        (&|r| drop(r.events.remove(0)), "the events", "number 1"),
        (&|r| r.statistics[1].1 = "0".to_owned(), "counts", "steps"),
        (&|r| r.bits[0] = "0".to_owned(), "body \"ball\"", "bits of all steps"),
        (&|r| r.bodies[0] = "bail".to_owned(), "the scene", "bodies"),
    ];
    for (change, whose, field) in cases {
        let found = changed(change).expect(field);
        assert_eq!((found.whose.as_str(), found.field.as_str()), (whose, field), "{found}");
    }
    // Of two, the earlier one.
    let both = changed(|r| {
        r.samples[30].bodies[0][0] += 1.0;
        r.samples[2].bodies[0][5] += 1.0;
    });
    let both = both.expect("a difference");
    let second = ball().1.samples[2].time;
    assert_eq!((both.time, both.field.as_str()), (Some(second), "spin"), "{both}");
    assert!(
        both.to_string().starts_with(&format!("at t = {second}, body \"ball\", spin: expected ")),
        "{both}"
    );
}

#[test]
fn a_tolerance_and_a_shorter_run_forgive_what_they_should() {
    let (scene, record) = ball();
    let mut near = record.clone();
    near.samples[7].bodies[0][0] += 1e-7;
    near.bits[0].clear();
    assert_eq!(compare(&record, &near, 1e-6), None);
    assert!(compare(&record, &near, 1e-8).is_some());
    let shorter = MotionRecord::sampled(&scene, 0.5, record.interval).expect("a motion");
    assert_eq!(compare(&record, &shorter, 0.0), None, "nothing is known of what it leaves out");
    assert!(compare(&shorter, &record, 0.0).is_some(), "more than was expected");
}

#[test]
fn another_motion_is_told_and_drawn_upon_the_first() {
    let (mut scene, record) = ball();
    let text = record.to_text("ball", "first");
    scene.name = Some("a <ball>".to_owned());
    let ball = scene.bodies.iter_mut().find(|body| body.name.as_deref() == Some("ball"));
    ball.expect("a ball").velocity[0] += 0.5;
    let CheckError::Different { difference, expected, found } =
        check(&scene, &text, 0.0, None).expect_err("it moves on")
    else {
        panic!("another error")
    };
    assert_eq!((difference.time, difference.field.as_str()), (Some(0.0), "vx"));
    assert_eq!(*expected, record);
    let mut page = Vec::new();
    write_overlay(&mut page, &scene, (&expected, &found), &difference).expect("memory has room");
    let page = String::from_utf8(page).expect("text");
    assert!(
        page.contains("a &lt;ball>") && !page.contains("{{"),
        "the title is a text, and nothing is left to fill in"
    );
    let data = page.split_once("\"told\":").expect("data").1;
    assert!(data.contains("vx: expected 0, found 0.5"), "the difference is told");
    assert!(matches!(check(&scene, "until 1", 0.0, None), Err(CheckError::Text(_))));
}

#[test]
fn forces_and_networks_carry_the_weight() {
    let scene = Scene::built_in("pile").expect("a built-in scene");
    let mut world = scene.to_world().expect("a world");
    let (mut contacts, mut islands, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let names: Vec<String> = world.bodies().take(2).map(|body| body.name().to_owned()).collect();
    let pair = [names[1].clone(), names[0].clone()];
    let mut network = NetworkWriter::new(&mut contacts, &mut islands);
    let mut trajectory = TrajectoryWriter::new(&mut rows).with_forces(vec![pair.clone()]);
    run(&mut world, 1.0, 0.1, &mut [&mut network, &mut trajectory]).expect("a run");
    let [contacts, islands, rows] =
        [contacts, islands, rows].map(|text| String::from_utf8(text).expect("text"));
    let column = format!("{}/{}.normal_force", pair[0], pair[1]);
    assert!(rows.lines().next().expect("a heading").contains(&column), "{column} is no column");
    for (name, table) in [("contacts", &contacts), ("islands", &islands), ("rows", &rows)] {
        let mut lines = table.lines();
        let width = lines.next().expect("a heading").split(',').count();
        assert!(table.lines().count() > 1, "{name} has no row");
        assert!(lines.all(|line| line.split(',').count() == width), "{name} has rows of another width");
    }
    let forces = world.inspect().force_network().contacts.len();
    let last = contacts.lines().filter(|line| line.starts_with("1,") || line.starts_with("1.0")).count();
    assert_eq!(last, forces, "a row for each contact of the end");
}
