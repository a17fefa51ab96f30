//! The book of engine2d. Nothing lives here but its pages: each is a module whose programs `cargo test` runs. Scenes and commands
//! are tried by the tests of `engine2d-cli`.

macro_rules! pages {
    ($($name:ident: $path:literal,)*) => {
        $(#[cfg(doctest)] #[doc = include_str!($path)] mod $name {})*
    };
}

pages! {
    first_scene: "src/first-scene.md",
    joints_and_motors: "src/joints-and-motors.md",
    rough_surfaces: "src/rough-surfaces.md",
    clocks_and_tolerances: "src/clocks-and-tolerances.md",
    certificates: "src/certificates.md",
    recording_and_plotting: "src/recording-and-plotting.md",
    regression_snapshots: "../regression-snapshots.md",
    recipes: "../recipes.md",
    layers: "src/layers.md",
    own_constrainer: "src/own-constrainer.md",
    own_force_law: "src/own-force-law.md",
    own_observer: "src/own-observer.md",
    theory_rows: "src/theory-rows.md",
    theory_delassus: "src/theory-delassus.md",
    theory_curvature: "src/theory-curvature.md",
    theory_friction: "src/theory-friction.md",
    theory_impacts: "src/theory-impacts.md",
    theory_time_stepping: "src/theory-time-stepping.md",
    time_stepping: "../time-stepping.md",
}
