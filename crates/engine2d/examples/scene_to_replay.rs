//! A scene made in code, saved as a file, read back, run, and turned into a replay page.
//!
//! `cargo run --release -p engine2d --example scene_to_replay [FOLDER]`
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use engine2d::record::{ReplayRecorder, SummaryObserver, run};
use engine2d::scene::{Body, Connector, ForceLaw, Line, Scene, Shape};
use std::fs::{self, File};
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    fs::create_dir_all(&folder)?;

    let mut scene = Scene::new("wrecking ball");
    scene.duration = 4.0;
    let floor = Shape::Wall { width: 30.0, height: 1.0, side: engine2d::scene::Side::Top };
    scene.bodies.push(Body::new(floor).named("floor").fixed().at(0.0, -0.5));
    let ball = Body::new(Shape::Ball { radius: 0.6 }).named("ball").mass(8.0);
    scene.bodies.push(ball.at(-5.0, 5.5).restitution(0.2));
    let rope = Line::new("ground", [0.0, 6.5], "ball", [0.0, 0.0]).length(5.2);
    scene.connectors.push(Connector::Rope(rope));
    for storey in 0..4 {
        let block = Body::new(Shape::Block { width: 0.8, height: 1.0 }).named(format!("storey{storey}"));
        scene.bodies.push(block.at(1.5, 0.505 + 1.005 * f64::from(storey)).restitution(0.1));
    }
    scene.force_laws.push(ForceLaw::gravity(9.81));

    let file = folder.join("wrecking_ball.json");
    fs::write(&file, scene.to_json()?)?;
    let scene = Scene::from_reader(File::open(&file)?)?;
    let mut world = scene.to_world()?;
    let mut summary = SummaryObserver::new(&scene);
    let mut replay = ReplayRecorder::new(&scene, scene.duration);
    run(&mut world, scene.duration, scene.settings.time_step, &mut [&mut summary, &mut replay])?;
    let page = folder.join("wrecking_ball.html");
    replay.write(File::create(&page)?)?;
    println!("{}", summary.summary());
    println!("{} and {} are written", file.display(), page.display());
    Ok(())
}
