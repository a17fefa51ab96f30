//! The tests of the simulation as one program: what a snapshot is written and read with is compiled once for all of them, which takes
//! longer than the tests. Each stands under the name of its file: `cargo test -p engine2d-sim --test simulation flights::`.

mod accumulation;
mod accuracy;
mod asking;
mod chains;
mod change_point;
mod chatter;
mod chatter_watched;
mod clocks;
mod compliant;
mod constrained_euler;
mod contact_ends;
mod crowd;
mod editing;
mod edits_in_steps;
mod flights;
mod force_network;
mod forged;
mod friction;
mod grazing;
mod identities;
mod impact_laws;
mod islands;
mod iterative;
mod iterative_impacts;
mod joints;
mod laws;
mod located;
mod locked;
mod meeting;
mod mixed_contact;
mod own_constrainer;
mod painleve;
mod pushing;
mod restitution_in_steps;
mod rig;
mod rocking;
mod rolling_resistance;
mod singular;
mod sleeping;
mod stiff_laws;
mod still_steps;
mod superball;
mod threads;
mod time_stepping;
mod watching;

/// Files that are programs of their own: this one, and what only one test at a time may watch.
const PROGRAMS: [&str; 2] = ["simulation", "spans"];

/// Cargo does not look for files here, so that none may be forgotten.
#[test]
fn every_file_is_tested() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let here = include_str!("simulation.rs");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).expect("the folder of this file") {
        let path = entry.expect("an entry").path();
        let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
        if path.is_file() && !PROGRAMS.contains(&name) {
            assert!(here.contains(&format!("\nmod {name};\n")), "{name}.rs is in no program");
            files += 1;
        }
    }
    assert_eq!(files, here.matches("\nmod ").count() - 1, "a module without a file");
}
