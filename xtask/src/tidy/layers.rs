//! Which crate may use which: the arrows of `docs/architecture.md`.

use super::source::Package;

/// Each crate with those of the workspace it may use.
const ARROWS: [(&str, &[&str]); 17] = [
    ("engine2d-math", &[]),
    ("engine2d-lcp", &["math"]),
    ("engine2d-geometry", &["math"]),
    ("engine2d-constraint", &["math", "lcp", "geometry"]),
    ("engine2d-sim", &["math", "lcp", "geometry", "constraint"]),
    ("engine2d-watch", &["math", "geometry", "sim"]),
    ("engine2d-scene", &["math", "geometry", "constraint", "sim"]),
    ("engine2d-record", &["math", "geometry", "constraint", "sim", "watch", "scene"]),
    ("engine2d-import", &["math", "scene"]),
    ("engine2d-web", &["math", "sim", "watch", "scene", "record"]),
    ("engine2d-table", &["geometry", "sim", "watch"]),
    ("engine2d-sweep", &["sim", "watch", "scene", "record", "table"]),
    (
        "engine2d-python",
        &["math", "lcp", "geometry", "constraint", "sim", "watch", "scene", "record", "sweep"],
    ),
    ("engine2d-oracle", &["math", "lcp", "geometry", "constraint", "sim"]),
    ("engine2d", &["math", "lcp", "geometry", "constraint", "sim", "watch", "scene", "record"]),
    (
        "engine2d-cli",
        &[
            "math",
            "lcp",
            "geometry",
            "constraint",
            "sim",
            "watch",
            "scene",
            "record",
            "table",
            "sweep",
            "import",
            "",
        ],
    ),
    ("xtask", &["math", "lcp", "geometry", "constraint", "sim", "watch", "scene", "record", "oracle", ""]),
];

/// The dependencies of a crate that no arrow allows.
pub(super) fn faults(package: &Package) -> Vec<String> {
    let name = &package.name;
    let Some((_, allowed)) = ARROWS.iter().find(|(crate_name, _)| crate_name == name) else {
        return vec![format!("{name}: not among the layers of tidy/layers.rs")];
    };
    let is_allowed = |used: &&String| {
        let short = used.strip_prefix("engine2d").unwrap_or(used).trim_start_matches('-');
        !allowed.contains(&short)
    };
    let used = dependencies(&package.manifest);
    used.iter().filter(is_allowed).map(|used| format!("{name}: may not use {used}")).collect()
}

/// The crates of the workspace among the dependencies of a manifest; those of tests and builds are free.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut inside = false;
    let mut used = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line == "[dependencies]";
        } else if inside && line.starts_with("engine2d") {
            let end = line.find(['.', ' ', '=']).unwrap_or(line.len());
            used.push(line[..end].to_owned());
        }
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, manifest: &str) -> Package {
        Package { name: name.to_owned(), manifest: manifest.to_owned(), files: Vec::new() }
    }

    #[test]
    fn an_arrow_the_wrong_way_is_a_fault() {
        let good = "[dependencies]\nengine2d-math = { workspace = true }\nserde = \"1\"\n[dev-dependencies]\nengine2d-lcp.workspace = true";
        assert!(faults(&package("engine2d-constraint", good)).is_empty());
        let bad = "[dependencies]\nengine2d-sim.workspace = true";
        assert_eq!(faults(&package("engine2d-geometry", bad)).len(), 1);
        assert_eq!(faults(&package("engine2d-geometry", "[dependencies]\nengine2d = \"1\"")).len(), 1);
        assert_eq!(faults(&package("engine2d-new", "")).len(), 1);
    }
}
