//! The clock of a scene: a word, an object, and the older keys it stands for.

use engine2d_scene::{
    Clock, ClockSettings, EventLocator, Scene, SceneError, Settings, Sleeping, Solver, SteppingSolver,
};

fn read(settings: &str) -> Result<Settings, SceneError> {
    let text =
        format!(r#"{{"format": "engine2d-scene", "version": 1, "bodies": [], "settings": {settings}}}"#);
    Scene::from_json(&text).map(|scene| scene.settings)
}

#[test]
fn a_word_stands_for_solver_and_locator() {
    let located = read(r#"{"clock": "located"}"#).unwrap();
    assert_eq!(located.event_locator, EventLocator::ZeroCrossing);
    assert_eq!(located.solver, Settings::default().solver);
    let backtracking = read(r#"{"clock": "backtracking"}"#).unwrap();
    assert_eq!(backtracking, Settings::backtracking());
}

#[test]
fn an_object_has_settings_of_its_own() {
    let located = read(r#"{"clock": {"type": "located", "tolerance": 1e-7}}"#).unwrap();
    assert!(matches!(located.solver, Solver::Precise(p) if p.tolerance == 1e-7));
    let same = read(
        r#"{"event_locator": "zero_crossing", "solver": {"method": "dormand_prince", "tolerance": 1e-7}}"#,
    );
    assert_eq!(located, same.unwrap());
    let euler = read(r#"{"clock": {"type": "backtracking", "solver": "euler"}}"#).unwrap();
    assert_eq!(euler, read(r#"{"event_locator": "backtracking", "solver": "euler"}"#).unwrap());
}

#[test]
fn what_a_clock_does_not_have_is_a_mistake_with_its_place() {
    let mistake = |settings: &str| read(settings).unwrap_err().to_string();
    assert!(mistake(r#"{"clock": "locatd"}"#).contains("settings.clock: \"locatd\""));
    assert!(mistake(r#"{"clock": {"tolerance": 1e-7}}"#).contains("settings.clock.type: missing"));
    assert!(
        mistake(r#"{"clock": {"type": "backtracking", "tolerance": 1}}"#)
            .contains("settings.clock.tolerance")
    );
    assert!(mistake(r#"{"clock": "located", "solver": "euler"}"#).contains("settings.solver"));
    assert!(mistake(r#"{"clock": {"type": "located", "tolerance": 0}}"#).contains("tolerance"));
}

#[test]
fn a_clock_set_in_code_is_written_as_what_it_stands_for() {
    let mut scene = Scene::default();
    scene.settings.clock = Some(engine2d_scene::Clock::Kind(engine2d_scene::ClockKind::Backtracking));
    let read = Scene::from_json(&scene.to_json().unwrap()).unwrap();
    assert_eq!(read.settings, Settings::backtracking());
}

#[test]
fn steps_of_fixed_length_put_in_place_of_another_clock_are_written_so_that_they_can_be_read() {
    let mut scene = Scene { settings: Settings::backtracking(), ..Scene::default() };
    scene.settings.clock = Some(Clock::Own(ClockSettings::stepping(SteppingSolver::Iterative)));
    let expected = Settings { clock: scene.settings.clock, ..Settings::default() };
    let read = Scene::from_json(&scene.to_json().unwrap()).unwrap();
    assert_eq!(read.settings, expected);
}

#[test]
fn steps_of_fixed_length_are_read_written_and_run() {
    let word = read(r#"{"clock": "time_stepping"}"#).unwrap();
    assert_eq!(word, read(r#"{"clock": {"type": "time_stepping", "solver": "exact"}}"#).unwrap());
    let own = r#"{"clock": {"type": "time_stepping", "solver": "auto", "substeps": 8, "budget_ms": 2.5,
        "sleeping": {"speed": 0.01}}}"#;
    let sleeping = Some(Sleeping { speed: 0.01, time: 0.5 });
    let expected =
        ClockSettings::TimeStepping { solver: SteppingSolver::Auto, substeps: 8, budget_ms: 2.5, sleeping };
    let scene = Scene { settings: read(own).unwrap(), ..Scene::default() };
    assert_eq!(scene.settings.clock, Some(Clock::Own(expected)));
    assert_eq!(Scene::from_json(&scene.to_json().unwrap()).unwrap(), scene);
    let choice = scene.to_world().unwrap().settings().time_stepping.unwrap();
    assert_eq!((choice.substeps, choice.budget_ms), (8, 2.5));
    assert_eq!(choice.sleeping.map(|s| [s.speed, s.time]), Some([0.01, 0.5]));
    let refused = |clock: &str, told: &str| {
        let error = read(clock).unwrap_err().to_string();
        assert!(error.contains(told), "{error}");
    };
    refused(&own.replace("0.01", "-0.01"), "settings.clock.sleeping.speed: -0.01 is not allowed");
    refused(&own.replace("2.5", "0"), "settings.clock.budget_ms: 0.0 is not allowed");
    refused(&own.replace("8", "0"), "settings.clock.substeps: 0.0 is not allowed");
    refused(
        r#"{"clock": {"type": "located", "tolerance": 0}}"#,
        "settings.clock.tolerance: 0.0 is not allowed",
    );
    let adaptive = r#"{"clock": {"type": "backtracking", "solver": {"inner": "euler", "tolerance": -1}}}"#;
    refused(adaptive, "settings.clock.solver.tolerance: -1.0 is not allowed");
    refused(
        r#"{"clock": "time_stepping", "contact_model": "compliant"}"#,
        "settings.clock: \"time_stepping\" with compliant",
    );
    refused(r#"{"clock": "backtracking", "contact_model": "compliant"}"#, "settings.clock: this solver");
    let error = read(r#"{"clock": {"type": "time_stepping", "solver": "exct"}}"#).unwrap_err().to_string();
    assert!(error.contains("settings.clock.solver: \"exct\"") && error.contains("exact"), "{error}");
    let error = read(r#"{"clock": "time_stepping", "solver": "euler"}"#).unwrap_err().to_string();
    assert!(error.contains("settings.solver"), "{error}");
    let scene = Scene { settings: word, ..engine2d_scene::catalogue::pile(5, 1) };
    let again = Scene::from_json(&scene.to_json().unwrap()).unwrap();
    assert_eq!(scene, again);
    let mut world = again.to_world().unwrap();
    assert_eq!(world.settings().clock(), engine2d_sim::ClockKind::TimeStepping);
    for _ in 0..100 {
        assert!(world.advance(0.02).unwrap().penetration <= 1e-9);
    }
}

/// Every built-in scene of rigid bodies keeps the laws in steps of fixed length too.
#[test]
fn built_in_scenes_run_in_steps_of_fixed_length() {
    built_in_scenes(SteppingSolver::Exact, 1e-9);
}

/// The iterative solver keeps joints; contacts are as soft as it says.
#[test]
fn built_in_scenes_run_with_the_iterative_solver() {
    built_in_scenes(SteppingSolver::Iterative, 0.2);
}

fn built_in_scenes(solver: SteppingSolver, depth: f64) {
    let rigid = |scene: &Scene| scene.settings.contact_model == engine2d_scene::ContactModel::Rigid;
    let mut count = 0;
    for entry in engine2d_scene::catalogue::CATALOGUE {
        let mut scene = entry.scene();
        if !rigid(&scene) {
            continue;
        }
        scene.settings.clock = Some(Clock::Own(ClockSettings::stepping(solver)));
        let mut world = scene.to_world().unwrap_or_else(|error| panic!("{}: {error}", entry.name));
        // Fewer steps of many bodies, which take more time.
        let steps = (3600 / scene.bodies.len()).clamp(10, 120);
        for _ in 0..steps {
            let report = world
                .advance(scene.settings.time_step)
                .unwrap_or_else(|error| panic!("{} at {}: {error}", entry.name, world.time()));
            if solver == SteppingSolver::Exact {
                assert!(report.certificate <= 1e-9, "{}: {}", entry.name, report.certificate);
            }
            assert!(report.penetration <= depth, "{}: {} deep", entry.name, report.penetration);
            assert!(report.joint_error <= 1e-9, "{}: open by {}", entry.name, report.joint_error);
        }
        count += 1;
    }
    assert!(count > 30, "{count}");
}
