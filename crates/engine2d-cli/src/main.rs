//! The `engine2d` command line.

fn main() {}
