//! The book of engine2d. Nothing lives here but its pages: each is a module whose programs `cargo test` runs.
