//! Automation of the workspace: `cargo xtask oracle | snapshots | bench`.

fn main() {}
