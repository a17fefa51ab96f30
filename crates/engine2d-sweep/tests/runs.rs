//! Which runs a sweep has and what is measured of them, against closed forms of a ball that is thrown.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use engine2d_sweep::{Row, Sweep, SweepError};
use engine2d_table::Values;
use serde_json::{Value, json};

/// Share to which a flight without contacts agrees with its closed form: rounding of some steps.
const CLOSED_FORM: f64 = 1e-9;

/// Nobody asks for scenes by name here.
fn read(sweep: &Value) -> Result<Sweep, SweepError> {
    Sweep::read(&sweep.to_string(), |name| Err(format!("no scene {name:?}")))
}

/// A ball thrown upwards at 3 under a gravity of 8, looked at each 0.25 for 1.
fn thrown(measures: &[(&str, &str)]) -> Value {
    let measures: Vec<Value> =
        measures.iter().map(|(of, reduce)| json!({"of": of, "reduce": reduce})).collect();
    json!({
        "format": "engine2d-sweep", "version": 1, "until": 1.0, "measures": measures,
        "scene": {
            "format": "engine2d-scene", "version": 1,
            "bodies": [{
                "name": "ball", "shape": {"type": "ball", "radius": 0.5}, "mass": 2.0, "position": [1.0, 5.0],
                "velocity": [4.0, 3.0], "angular_velocity": 0.5
            }],
            "force_laws": [{"type": "gravity", "strength": 8.0}],
            "settings": {"time_step": 0.25}
        }
    })
}

#[test]
fn reductions_of_a_flight_are_those_of_its_closed_form() {
    let heights: Vec<f64> =
        [0.0f64, 0.25, 0.5, 0.75, 1.0].iter().map(|t| 5.0 + 3.0 * t - 4.0 * t * t).collect();
    let [sum, squares] = [1, 2].map(|power| heights.iter().map(|y| y.powi(power)).sum::<f64>());
    // Kinetic: m v²/2 and that of a disc's turning, m r² ω²/4; potential m g y, which is conserved with it.
    let kinetic = |vy: f64| 16.0 + vy * vy + 2.0 * 0.25 * 0.25 / 4.0;
    let expected = [
        ("bodies[ball].y", "first", heights[0]),
        ("bodies[ball].y", "last", heights[4]),
        ("bodies[ball].y", "min", heights[4]),
        ("bodies[ball].y", "max", heights[1]),
        ("bodies[ball].y", "time_of_max", 0.25),
        ("bodies[ball].y", "time_of_min", 1.0),
        ("bodies[ball].y", "count", 5.0),
        ("bodies[ball].y", "sum", sum),
        ("bodies[ball].y", "mean", sum / 5.0),
        ("bodies[ball].y", "rms", (squares / 5.0).sqrt()),
        ("bodies[0].x", "last", 5.0),
        ("bodies[ball].angle", "last", 0.5),
        ("bodies[ball].spin", "max", 0.5),
        ("bodies[ball].angular_velocity", "min", 0.5),
        ("bodies[ball].vx", "mean", 4.0),
        ("bodies[ball].vy", "last", -5.0),
        ("bodies[ball].speed", "first", 5.0),
        ("time", "last", 1.0),
        ("kinetic_energy", "last", kinetic(-5.0)),
        ("energy", "last", kinetic(3.0) + 16.0 * 5.0),
        ("potential_energy", "last", 16.0 * heights[4]),
        ("contacts", "max", 0.0),
        ("largest_force", "max", 0.0),
        ("penetration", "max", 0.0),
        ("joint_error", "max", 0.0),
        ("events", "sum", 0.0),
        // Only a step tells it: there are four.
        ("certificate", "count", 4.0),
    ];
    let measures: Vec<_> = expected.iter().map(|(of, reduce, _)| (*of, *reduce)).collect();
    let row = read(&thrown(&measures)).unwrap().run(0).unwrap();
    assert_eq!(row.error, None);
    for ((of, reduce, expected), measured) in expected.iter().zip(&row.measures) {
        let measured = measured.unwrap();
        assert!(
            (measured - expected).abs() <= CLOSED_FORM * expected.abs().max(1.0),
            "{of} {reduce}: {measured}"
        );
    }
}

#[test]
fn what_is_not_there_has_no_number_but_a_count() {
    let measures =
        [("events[collision].impulse", "max"), ("events[collision]", "count"), ("bodies[none].x", "mean")];
    let row = read(&thrown(&measures)).unwrap().run(0).unwrap();
    assert_eq!(row.measures, [None, Some(0.0), None]);
    assert!(row.error.is_none() && row.digest.is_some());
}

#[test]
fn the_impulse_and_the_moment_of_a_drop_are_measured() {
    let mut sweep = thrown(&[
        ("events[collision].impulse", "first"),
        ("events.time", "first"),
        ("events.impulse", "first"),
    ]);
    let scene = &mut sweep["scene"];
    scene["bodies"][0]["velocity"] = json!([0.0, 0.0]);
    scene["bodies"][0]["position"] = json!([0.0, 1.5]);
    scene["bodies"][0]["elasticity"] = json!(0.5);
    let floor = json!({
        "name": "floor", "shape": {"type": "block", "width": 9.0, "height": 1.0}, "fixed": true,
        "position": [0.0, -0.5], "elasticity": 0.5
    });
    scene["bodies"].as_array_mut().unwrap().push(floor);
    let row = read(&sweep).unwrap().run(0).unwrap();
    // It falls by 1 until t = √(2/8), at v = 4, and leaves with half of it: 2 (4 + 2).
    let [impulse, time, all] = row.measures[..] else { panic!("{row:?}") };
    assert!((impulse.unwrap() - 12.0).abs() < 1e-8, "{impulse:?}");
    assert!((time.unwrap() - 0.5).abs() < 1e-8, "{time:?}");
    assert_eq!(all, impulse, "what has no impulse is not counted among them");
}

/// Two lists, a sampled range and two repetitions.
fn varied() -> Value {
    let mut sweep = thrown(&[("bodies[ball].x", "last")]);
    sweep["parameters"] = json!([
        {"path": "force_laws[0].strength", "name": "g", "from": 1.0, "to": 100.0, "count": 3, "scale": "log"},
        {"path": "bodies[ball].elasticity", "range": [0.25, 0.75]},
        {"path": "name", "values": ["a", "b"]}
    ]);
    sweep["sampling"] = json!({"method": "sobol", "count": 2});
    sweep["repeats"] = json!(2);
    sweep
}

#[test]
fn repetitions_count_fastest_then_samples_then_the_last_list() {
    let sweep = read(&varied()).unwrap();
    assert_eq!(sweep.count(), 3 * 2 * 2 * 2);
    assert_eq!(sweep.parameter_names().collect::<Vec<_>>(), ["g", "bodies[ball].elasticity", "name"]);
    let mut expected = Vec::new();
    for g in [1.0, 10.0, 100.0] {
        for name in ["a", "b"] {
            // Sobol's sequence begins in a corner, and goes on in the middle.
            for elasticity in [0.25, 0.5] {
                expected.extend([0, 1].map(|repeat| (repeat, g, elasticity, name)));
            }
        }
    }
    for (run, (repeat, g, elasticity, name)) in (0..).zip(expected) {
        let (own, values) = sweep.values(run).unwrap();
        assert_eq!((own, &values[1..]), (repeat, &[json!(elasticity), json!(name)][..]), "run {run}");
        assert!((values[0].as_f64().unwrap() - g).abs() < CLOSED_FORM * g, "run {run}");
        let scene: Value = serde_json::from_str(&sweep.scene(run).unwrap()).unwrap();
        assert_eq!((&scene["name"], &scene["settings"]["seed"]), (&json!(name), &json!(repeat)));
        assert_eq!(scene["force_laws"][0]["strength"], values[0]);
    }
    let beyond = sweep.values(24).unwrap_err().to_string();
    assert_eq!(beyond, "there is no run 24 (there are 24)");
}

#[test]
fn shards_are_all_runs_once() {
    let sweep = read(&varied()).unwrap();
    let mut runs: Vec<u64> = (1..=5).flat_map(|k| sweep.shard(k, 5).unwrap()).collect();
    assert_eq!(runs[..5], [0, 5, 10, 15, 20]);
    runs.sort_unstable();
    assert_eq!(runs, (0..24).collect::<Vec<_>>());
    for k in [0, 6] {
        let refused = sweep.shard(k, 5).map(Iterator::count).unwrap_err().to_string();
        assert!(refused.starts_with("shard: "), "{refused}");
    }
}

#[test]
fn rows_come_back_from_their_texts_and_their_order_does_not_count() {
    let sweep = read(&varied()).unwrap();
    let rows: Vec<Row> = (0..4).map(|run| sweep.run(run).unwrap()).collect();
    let texts: Vec<String> = rows.iter().map(|row| serde_json::to_string(row).unwrap()).collect();
    assert_eq!(sweep.rows(texts.iter().map(String::as_str)).unwrap(), rows);
    let damaged = sweep.rows([texts[0].as_str(), "{\"run\":1"]).unwrap_err().to_string();
    assert!(damaged.starts_with("row 1 cannot be read"), "{damaged}");

    let mixed: Vec<Row> = [3, 1, 0, 2, 1].map(|run: usize| rows[run].clone()).into();
    assert_eq!(Sweep::rows_digest(&mixed), Sweep::rows_digest(&rows));
    assert_ne!(Sweep::rows_digest(&rows[1..]), Sweep::rows_digest(&rows));
    let table = sweep.table(&mixed).unwrap();
    assert_eq!(table, sweep.table(&rows).unwrap());
    let names: Vec<&str> = table.columns().iter().map(|column| column.name()).collect();
    let expected =
        ["run", "repeat", "g", "bodies[ball].elasticity", "name", "bodies[ball].x.last", "digest", "error"];
    assert_eq!(names, expected);
    assert_eq!(table.columns()[0].values(), &Values::Whole((0..4).map(Some).collect()));
    assert_eq!(table.columns()[4].values(), &Values::Texts(vec![Some("a".to_owned()); 4]));
    assert_eq!(table.columns()[5].values(), &Values::Numbers(vec![rows[0].measures[0]; 4]));
}

#[test]
fn a_run_that_fails_is_a_row_with_its_message() {
    let mut sweep = thrown(&[("time", "last")]);
    sweep["parameters"] = json!([{"path": "bodies[ball].mass", "name": "m", "values": [1.0, -1.0, true]}]);
    let sweep = read(&sweep).unwrap();
    assert_eq!(sweep.run(0).unwrap().error, None);
    for run in [1, 2] {
        let row = sweep.run(run).unwrap();
        assert_eq!((&row.measures, &row.digest), (&vec![None], &None));
        assert!(row.error.unwrap().contains("mass"), "run {run}");
    }
    let table = sweep.table(&[sweep.run(2).unwrap()]).unwrap();
    assert_eq!(table.columns()[2].values(), &Values::Texts(vec![Some("true".to_owned())]));
}

#[test]
fn what_others_measure_has_columns_behind_its_own() {
    let plain = read(&thrown(&[("time", "last")])).unwrap();
    let own = plain.clone().measured_outside(vec!["reach".to_owned()]).unwrap();
    assert_ne!(own.digest(), plain.digest());
    assert_eq!(own.scene_digest(), plain.scene_digest());
    let mut row = own.run(0).unwrap();
    assert_eq!(row.measures, [Some(1.0), None]);
    row.measures[1] = Some(7.0);
    let table = own.table(&[row]).unwrap();
    assert_eq!(table.columns()[3].name(), "reach");
    assert_eq!(table.columns()[3].values(), &Values::Numbers(vec![Some(7.0)]));
    for names in [vec![""], vec!["run"], vec!["time.last"], vec!["a", "a"]] {
        let names = names.into_iter().map(str::to_owned).collect();
        let refused = plain.clone().measured_outside(names).unwrap_err().to_string();
        assert!(refused.contains("another column"), "{refused}");
    }
}

#[test]
fn the_sweep_says_what_it_is() {
    let sweep = read(&varied()).unwrap();
    let facts = sweep.facts();
    assert_eq!(facts[1], ("engine2d.scene", sweep.scene_digest()));
    assert_eq!(facts[2], ("engine2d.sweep", sweep.digest()));
    let mut other = varied();
    other["until"] = json!(2.0);
    assert_ne!(read(&other).unwrap().digest(), sweep.digest());
}

/// A run that would not end is a row that says so, whether its end is the sweep's or the scene's.
#[test]
fn ends_that_no_run_reaches_fail() {
    let failed = |sweep: Value| read(&sweep).unwrap().run(0).unwrap().error.unwrap();
    let sound = thrown(&[("time", "last")]);
    let mut early = sound.clone();
    early["until"] = json!(-1.0);
    assert_eq!(failed(early), "until: -1 is before the start, 0");
    let mut late = sound.clone();
    late["until"] = json!(1e19);
    assert!(failed(late).starts_with("until: a run would take 4.000e19 steps"));
    let mut long = sound;
    long.as_object_mut().unwrap().remove("until");
    long["scene"]["duration"] = json!(1e12);
    let long = failed(long);
    assert!(long.starts_with("scene.duration: a run would take 4.000e12 steps"), "{long}");
}
