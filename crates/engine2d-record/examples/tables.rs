//! A run recorded as a table, as events and as figures, into memory: any `Write` will do.
//!
//! `cargo run --release -p engine2d-record --example tables`
#![expect(clippy::print_stdout, reason = "an example shows its result")]

use engine2d_record::{EventWriter, Observer, SummaryObserver, TrajectoryWriter, WatchError, run};
use engine2d_scene::Scene;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scene = Scene::built_in("weight_clock").ok_or("no such scene")?;
    let mut world = scene.to_world()?;
    let (mut table, mut lines) = (Vec::new(), Vec::new());
    let mut summary = SummaryObserver::new(&scene);
    {
        let (mut trajectory, mut events) = (TrajectoryWriter::new(&mut table), EventWriter::new(&mut lines));
        let observers: &mut [&mut dyn Observer] = &mut [&mut trajectory, &mut events, &mut summary];
        run(&mut world, 5.0, scene.settings.time_step, observers)
            .map_err(|error: WatchError| error.to_string())?;
    }
    let (table, lines) = (String::from_utf8(table)?, String::from_utf8(lines)?);
    println!(
        "{} rows of {} columns",
        table.lines().count(),
        table.lines().next().map_or(0, |row| row.split(',').count())
    );
    println!("{} events, the first: {}", lines.lines().count(), lines.lines().next().unwrap_or_default());
    println!("{}", summary.summary());
    assert!(table.lines().count() > 400 && lines.lines().count() > 3);
    Ok(())
}
