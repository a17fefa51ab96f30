//! Runs scenes in the lab and prints name, digest and milliseconds of each: what the browser's answers are held against.
//!
//! `cargo run --release --package engine2d-web --example digests -- 5 pile chain` runs built-in scenes for five seconds; a
//! name that ends in `.json` is a file.

#![expect(clippy::print_stdout, reason = "an example prints")]

use engine2d_web::Lab;
use std::time::Instant;

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let until: f64 =
        arguments.next().unwrap_or_else(|| "1".to_owned()).parse().map_err(|_| "a time is needed")?;
    let mut names: Vec<String> = arguments.collect();
    if names.is_empty() {
        names = vec!["ball_on_floor".to_owned(), "stack".to_owned()];
    }
    for name in names {
        let text = if name.ends_with(".json") {
            std::fs::read_to_string(&name).map_err(|error| format!("{name}: {error}"))?
        } else {
            Lab::catalogue_text(&name).ok_or_else(|| format!("no built-in scene is named {name}"))?
        };
        let mut lab = Lab::read(&text).map_err(|faults| format!("{name}: {faults:?}"))?;
        let begun = Instant::now();
        lab.run_until(until)?;
        println!("{name} {} {:.1}", lab.digest(), 1e3 * begun.elapsed().as_secs_f64());
    }
    Ok(())
}
