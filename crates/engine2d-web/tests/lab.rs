//! What the hand does in the lab.

use engine2d_sim::BodyView;
use engine2d_web::{FRAME_START, Lab};

fn lab(name: &str) -> Lab {
    let text = Lab::catalogue_text(name).expect("a built-in scene");
    Lab::read(&text).expect("a sound scene")
}

/// A scene of a floor and a ball with a mistake on a line of its own.
const BROKEN: &str = "{\n  \"format\": \"engine2d-scene\", \"version\": 1,\n  \"bodies\": [\n    { \"shape\": { \"type\": \"ball\", \
                      \"radius\": 0.5 },\n      \"mass\": -2 }\n  ]\n}\n";

#[test]
fn steps_taken_back_are_taken_again_bit_for_bit() {
    let mut lab = lab("rough_stack");
    lab.run_until(1.5).unwrap();
    let digest = lab.digest();
    for _ in 0..20 {
        assert!(lab.back());
    }
    assert_ne!(lab.digest(), digest);
    lab.run_until(1.5).unwrap();
    assert_eq!(lab.digest(), digest);
    assert!(lab.reset());
    assert!(!lab.back(), "nothing is before the start");
    lab.run_until(1.5).unwrap();
    assert_eq!(lab.digest(), digest);
}

#[test]
fn a_body_follows_the_hand_and_keeps_its_speed() {
    let mut lab = lab("ball_on_floor");
    let ball = lab.world().bodies().position(|body| !body.is_fixed()).unwrap();
    let at = lab.world().body(ball).unwrap().position();
    assert!(!lab.take(1 - ball, 0.0, 0.0), "the floor stays");
    assert!(lab.take(ball, at.x, at.y));
    lab.drag_to(at.x + 1.0, at.y + 1.0);
    lab.run_until(2.0).unwrap();
    let body = lab.world().body(ball).unwrap();
    // The pull is soft: in rest the ball hangs below the hand by g over the square of its frequency.
    let sag = 9.81 / 144.0;
    let place = body.position();
    assert!((place.x - at.x - 1.0).abs() < 1e-3 && (place.y - at.y - 1.0 + sag).abs() < 0.02, "{place:?}");
    assert_eq!(lab.frame()[3], 1.0);
    lab.drag_to(at.x + 9.0, at.y + 1.0);
    lab.run_until(2.1).unwrap();
    lab.release();
    let before = lab.world().body(ball).unwrap().velocity().x;
    lab.step().unwrap();
    assert!(before > 1.0 && (lab.world().body(ball).unwrap().velocity().x - before).abs() < 1e-9);
}

#[test]
fn mistakes_have_their_line() {
    let faults = Lab::read(BROKEN).unwrap_err();
    assert_eq!((faults.len(), faults[0].line, faults[0].column), (1, 5, 7));
    assert_eq!(faults[0].path, "bodies[0].mass");
    let faults = Lab::read("{\n \"format\": \n}").unwrap_err();
    assert_eq!(faults[0].line, 3);
}

#[test]
fn an_edit_starts_from_now() {
    let mut lab = lab("ball_on_floor");
    lab.run_until(1.0).unwrap();
    let (time, count) = (lab.world().time(), lab.world().bodies().len());
    let of = |body: BodyView<'_>| {
        [body.position().y, body.velocity().y, body.angular_velocity()].map(f64::to_bits)
    };
    let before: Vec<_> = lab.world().bodies().map(of).collect();
    assert_ne!(before[1][1], 0, "the ball moves");
    lab.insert(
        "bodies",
        r#"{ "name": "new", "shape": { "type": "ball", "radius": 0.2 }, "position": [2, 4] }"#,
    )
    .unwrap();
    assert_eq!(lab.world().bodies().len(), count + 1);
    assert_eq!(lab.world().time().to_bits(), time.to_bits());
    assert_eq!(lab.world().bodies().map(of).take(count).collect::<Vec<_>>(), before);
    // The text is a scene that does the same.
    let mut again = Lab::read(&lab.text()).unwrap();
    lab.run_until(2.0).unwrap();
    again.run_until(2.0).unwrap();
    assert_eq!(lab.digest(), again.digest());
    let faults = lab.insert("bodies", r#"{ "shape": { "type": "ball", "radius": -1 } }"#).unwrap_err();
    assert!(faults[0].message.contains("-1"), "{faults:?}");
    assert_eq!(lab.world().bodies().len(), count + 1);
}

#[test]
fn what_refers_to_a_body_goes_with_it() {
    let mut lab = lab("chain");
    let before = lab.world().bodies().len();
    lab.run_until(0.3).unwrap();
    lab.remove("bodies", 3).unwrap();
    assert_eq!(lab.world().bodies().len(), before - 1);
    lab.run_until(1.0).unwrap();
    let text = lab.text();
    assert!(!text.contains("link3\""), "{text}");
}

#[test]
fn an_oscillation_goes_on_where_it_was() {
    let text = r#"{ "format": "engine2d-scene", "version": 1, "bodies": [
        { "shape": { "type": "block", "width": 2, "height": 0.2 },
          "moving": { "type": "oscillation", "amplitude": [0, 0.3], "period": 2, "phase": 0.4 } }] }"#;
    let mut lab = Lab::read(text).unwrap();
    lab.run_until(0.7).unwrap();
    let mut edited = Lab::read(&lab.text_now()).unwrap();
    lab.run_until(1.6).unwrap();
    edited.run_until(1.6).unwrap();
    let heights = [&lab, &edited].map(|lab| lab.world().body(0).unwrap().position().y);
    assert!((heights[0] - heights[1]).abs() < 1e-9, "{heights:?}");
}

#[test]
fn bodies_are_placed_where_there_is_room() {
    let mut lab = lab("stack");
    let top = lab.world().bodies().len() - 1;
    lab.place(top, 0.0, 30.0, 0.5).unwrap();
    let body = lab.world().body(top).unwrap();
    assert_eq!((body.position().y, body.angle()), (30.0, 0.5));
    let other = lab.world().body(top - 1).unwrap().position();
    let faults = lab.place(top, other.x, other.y, 0.0).unwrap_err();
    assert!(faults[0].message.contains("deep inside"), "{faults:?}");
    assert!(lab.place(99, 0.0, 0.0, 0.0).is_err());
}

#[test]
fn sliders_change_the_scene() {
    let mut lab = lab("block_on_slope");
    assert!(lab.set_friction(-1.0).is_err());
    let mut other = self::lab("stack");
    other.set_gravity(3.71).unwrap();
    other.set_restitution(0.25).unwrap();
    other.set_friction(0.37).unwrap();
    other.set_time_step(0.013).unwrap();
    other.set_clock("time_stepping").unwrap();
    let text = other.text();
    for part in [
        "\"strength\": 3.71",
        "\"elasticity\": 0.25",
        "\"friction\": 0.37",
        "\"time_step\": 0.013",
        "\"time_stepping\"",
    ] {
        assert!(text.contains(part), "{part}");
    }
    assert!(other.set_clock("sundial").is_err());
    other.run_until(0.5).unwrap();
    lab.set_parameter("random seed", "3").unwrap();
    assert!(lab.set_parameter("no such", "3").is_err());
    assert!(lab.parameters().contains("distance_tolerance"));
}

#[test]
fn frames_hold_all_forces_and_records_do_not_move_the_world() {
    let mut lab = lab("stack");
    lab.run_until(0.2).unwrap();
    let frame = lab.frame();
    let lengths = &frame[FRAME_START + 3..FRAME_START + 8];
    assert_eq!(frame.len(), FRAME_START + 8 + lengths.iter().sum::<f64>() as usize);
    assert!(lengths[2] > 0.0, "there are contacts");
    let digest = lab.digest();
    assert_eq!(lab.table(0.1).unwrap().lines().count(), 1 + 1 + (0.1_f64 / 0.025).round() as usize);
    let (page, data) = (lab.replay(0.1).unwrap(), lab.replay_data(0.1).unwrap());
    assert!(page.contains("class Renderer") && page.contains(&data) && data.contains("\"frames\""));
    assert!(lab.event_lines(0.1).is_ok() && lab.picture().contains("<svg"));
    assert_eq!(lab.digest(), digest);
    assert!(Lab::catalogue().contains("newtons_cradle") && lab.model().contains("\"bodies\""));
}
