//! `cargo xtask package-check`: the packages as a registry would hand them out. Each is packed, unpacked into a folder that is far from
//! this one, and tested there; the packages it needs are the other unpacked ones. A test that reads a file outside its package fails.

use crate::{TaskError, complain, say, workspace};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// What every package has to hold.
const NEEDED: [&str; 5] = ["Cargo.toml", "LICENSE-APACHE", "LICENSE-MIT", "README.md", "src"];

/// What its manifest has to tell, as cargo names it; texts and lists.
const TOLD: [&str; 8] = [
    "categories",
    "description",
    "documentation",
    "edition",
    "keywords",
    "license",
    "readme",
    "rust_version",
];

/// What to look at.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only test these packages, separated by commas; all are packed.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    crates: Vec<String>,
    /// Let cargo build what it packed as well, which the tests do anyway.
    #[arg(long)]
    verify: bool,
    /// Pack, unpack and look at what is in the packages and what their tests read; build nothing.
    #[arg(long)]
    contents: bool,
    /// Test them in one build, each with the features that any of them asks for: minutes in the place of an hour.
    #[arg(long)]
    together: bool,
    /// Leave the unpacked packages where they are.
    #[arg(long)]
    keep: bool,
}

/// A package that can be published.
struct Package {
    name: String,
    /// The folder of its file's name, `NAME-VERSION`.
    stem: String,
    /// Where it is in the workspace.
    source: PathBuf,
    /// What its manifest does not tell.
    untold: Vec<&'static str>,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode, TaskError> {
    let (packages, private, target) = members()?;
    if let Some(unknown) = options.crates.iter().find(|name| packages.iter().all(|p| p.name != **name)) {
        return Err(format!("no package {unknown:?}").into());
    }
    let mut pack = cargo(&workspace());
    pack.args(["package", "--workspace", "--locked", "--allow-dirty", "--quiet"]);
    pack.args(private.iter().flat_map(|name| ["--exclude", name]));
    if !options.verify {
        pack.arg("--no-verify");
    }
    if !pack.status()?.success() {
        return Ok(ExitCode::FAILURE);
    }
    // The same place for the same workspace, so that what is built there is not built anew in the next run.
    let mut hasher = DefaultHasher::new();
    workspace().canonicalize()?.hash(&mut hasher);
    let own = hasher.finish();
    let folder = std::env::temp_dir().join(format!("engine2d-packages-{own:x}"));
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let judged = judge(options, &packages, &target, &folder);
    if !options.keep {
        fs::remove_dir_all(&folder)?;
    }
    let faults = judged?;
    faults.iter().for_each(|fault| complain(fault));
    say(&format!("{} packages, {} faults", packages.len(), faults.len()));
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What is wrong with the packages, which are unpacked into the folder.
fn judge(
    options: &Options,
    packages: &[Package],
    target: &Path,
    folder: &Path,
) -> Result<Vec<String>, TaskError> {
    for package in packages {
        let file = target.join("package").join(format!("{}.crate", package.stem));
        let status = Command::new("tar").arg("-xzf").arg(&file).arg("-C").arg(folder).status()?;
        if !status.success() {
            return Err(format!("{} cannot be unpacked", file.display()).into());
        }
    }
    // Tests run long simulations; and what others have written is there already if it is built with the same settings.
    let settings = fs::read_to_string(workspace().join("Cargo.toml"))?;
    let profile = profile(&settings, "dev")?;
    fs::write(folder.join("Cargo.toml"), manifest(packages, profile))?;
    // The versions that are tested here.
    fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let mut faults = Vec::new();
    for package in packages {
        let own = folder.join(&package.stem);
        let packed = files(&own)?;
        let absent = NEEDED.iter().filter(|name| !own.join(name).exists());
        faults.extend(absent.map(|name| format!("{}: {name} is not in the package", package.name)));
        faults.extend(
            package.untold.iter().map(|field| format!("{}: its manifest has no {field}", package.name)),
        );
        faults.extend(reaching(&own, &packed)?.into_iter().map(|told| format!("{}: {told}", package.name)));
        let left: Vec<String> = files(&package.source)?
            .difference(&packed)
            .filter(|path| path.starts_with("tests/") && path.ends_with(".rs"))
            .cloned()
            .collect();
        let mut line = format!("{}: {} files", package.name, packed.len());
        if !left.is_empty() {
            write!(line, ", without {}", left.join(", "))?;
        }
        say(&line);
    }
    if options.contents {
        return Ok(faults);
    }
    let all: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let chosen: Vec<&str> = all
        .into_iter()
        .filter(|name| options.crates.is_empty() || options.crates.iter().any(|chosen| chosen == name))
        .collect();
    let size = if options.together { chosen.len() } else { 1 };
    for names in chosen.chunks(size.max(1)) {
        faults.extend(test(names, target, folder)?);
    }
    Ok(faults)
}

/// Tests unpacked packages in one build, as far as their own features ask for what others hold.
fn test(names: &[&str], target: &Path, folder: &Path) -> Result<Option<String>, TaskError> {
    let began = Instant::now();
    let mut command = cargo(folder);
    command.args(["test", "--offline", "--no-fail-fast"]);
    command.args(names.iter().flat_map(|name| ["--package", name]));
    let name = names.join(", ");
    // What others have written is built with the same settings as in the workspace, so that it is there already.
    let output = command.env("CARGO_TARGET_DIR", target).output()?;
    let told = String::from_utf8_lossy(&output.stdout);
    let tests = passed(&told);
    say(&format!("{name}: {tests} tests pass in {:.0} s", began.elapsed().as_secs_f64()));
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let lines = told.lines().chain(errors.lines());
        for line in lines
            .filter(|line| line.contains("FAILED") || line.contains("panicked") || line.starts_with("error"))
        {
            complain(&format!("  {line}"));
        }
        return Ok(Some(format!("{name}: tests fail outside the workspace")));
    }
    // A package in which nothing is tested cannot fail.
    Ok((tests == 0).then(|| format!("{name}: nothing was tested")))
}

/// How many tests passed, as the test runner says.
fn passed(told: &str) -> usize {
    let count = |line: &str| line.strip_prefix("test result: ok. ")?.split(' ').next()?.parse::<usize>().ok();
    told.lines().filter_map(count).sum()
}

/// A workspace of the unpacked packages, in which each stands for the one of its name in the registry.
fn manifest(packages: &[Package], profile: &str) -> String {
    let mut text = "[workspace]\nresolver = \"3\"\nmembers = [\n".to_owned();
    for package in packages {
        text += &format!("    {:?},\n", package.stem);
    }
    text += "]\n\n[patch.crates-io]\n";
    for package in packages {
        text += &format!("{} = {{ path = {:?} }}\n", package.name, package.stem);
    }
    text + "\n" + profile
}

/// The tables of a profile in the workspace's manifest, which stand one behind the other.
pub(crate) fn profile<'a>(manifest: &'a str, name: &str) -> Result<&'a str, TaskError> {
    let first = format!("[profile.{name}]");
    let begin = manifest.find(&first).ok_or_else(|| format!("the workspace has no profile {name}"))?;
    let text = &manifest[begin..];
    let own = format!("[profile.{name}.");
    let mut tables = text.match_indices("\n[").map(|(at, _)| at + 1);
    let end = tables.find(|&at| !text[at..].starts_with(&own));
    Ok(&text[..end.unwrap_or(text.len())])
}

/// What in the sources of a package names files that it does not hold.
fn reaching(folder: &Path, packed: &BTreeSet<String>) -> Result<Vec<String>, TaskError> {
    let mut faults = Vec::new();
    for path in packed.iter().filter(|path| path.ends_with(".rs")) {
        let text = fs::read_to_string(folder.join(path))?;
        for (k, line) in text.lines().enumerate() {
            if let Some(name) = outside(line, path) {
                faults.push(format!("{path}:{} reads {name}, outside the package", k + 1));
            }
        }
    }
    Ok(faults)
}

/// The path in a line's string that leads out of the package of the file.
fn outside<'a>(line: &'a str, path: &str) -> Option<&'a str> {
    let code = line.split("//").next().unwrap_or_default();
    let depth = path.matches('/').count();
    // What is joined to the folder of the package has no step up; what is included may go up to it.
    let allowed = if code.contains("include") || code.contains("glob!") { depth } else { 0 };
    let leads = |text: &&str| {
        let up = text.split('/').take_while(|part| *part == "..").count();
        up > allowed
    };
    code.split('"').skip(1).step_by(2).find(leads)
}

/// The files of a folder, by their paths in it; none of what is built there.
fn files(folder: &Path) -> Result<BTreeSet<String>, TaskError> {
    let (mut found, mut folders) = (BTreeSet::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next)? {
            let path = entry?.path();
            if !path.is_dir() {
                let inner = path.strip_prefix(folder)?;
                let parts: Vec<_> = inner.iter().map(|part| part.to_string_lossy()).collect();
                found.insert(parts.join("/"));
            } else if !path.ends_with("target") {
                folders.push(path);
            }
        }
    }
    Ok(found)
}

/// The packages that can be published, the names of the others, and the folder of what is built.
fn members() -> Result<(Vec<Package>, Vec<String>, PathBuf), TaskError> {
    let output =
        cargo(&workspace()).args(["metadata", "--no-deps", "--format-version", "1", "--locked"]).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let told: Value = serde_json::from_slice(&output.stdout)?;
    let text = |value: &Value| value.as_str().map(str::to_owned).ok_or("cargo metadata says something else");
    let (mut packages, mut private) = (Vec::new(), Vec::new());
    for package in told["packages"].as_array().into_iter().flatten() {
        let name = text(&package["name"])?;
        if package["publish"].as_array().is_some_and(Vec::is_empty) {
            private.push(name);
            continue;
        }
        let stem = format!("{name}-{}", text(&package["version"])?);
        let source = Path::new(&text(&package["manifest_path"])?)
            .parent()
            .ok_or("a manifest in no folder")?
            .to_owned();
        packages.push(Package { name, stem, source, untold: untold(package) });
    }
    packages.sort_by(|one, other| one.name.cmp(&other.name));
    Ok((packages, private, text(&told["target_directory"])?.into()))
}

/// The fields that a manifest has to have and has not, or are empty.
fn untold(package: &Value) -> Vec<&'static str> {
    let told = |value: &Value| match value {
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        _ => false,
    };
    TOLD.into_iter().filter(|field| !told(&package[*field])).collect()
}

/// Cargo in a folder.
fn cargo(folder: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(folder);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_out_of_a_package_is_found() {
        let joined = r#"let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/scenes");"#;
        assert_eq!(outside(joined, "tests/one.rs"), Some("../../fixtures/scenes"));
        // From the folder of the package, whatever file says it, one step up is one too many.
        assert_eq!(outside(r#".join("../engine2d-sim")"#, "tests/one.rs"), Some("../engine2d-sim"));
        assert_eq!(outside(r#"include_str!("../README.md")"#, "src/lib.rs"), None);
        assert_eq!(outside(r#"include_str!("../../README.md")"#, "src/lib.rs"), Some("../../README.md"));
        assert_eq!(
            outside(r#"insta::glob!("../../../fixtures", "*.json", |p| {"#, "tests/b.rs"),
            Some("../../../fixtures")
        );
        assert_eq!(outside(r#"// as in "../../x""#, "src/lib.rs"), None);
        assert_eq!(outside(r##".join("tests/data")"##, "tests/one.rs"), None);
    }

    #[test]
    fn a_manifest_tells_what_a_registry_shows() {
        let mut package = serde_json::json!({
            "categories": ["science"], "description": "a", "documentation": "https://docs.rs/a", "edition": "2024",
            "keywords": ["a"], "license": "MIT", "readme": "README.md", "rust_version": "1.89",
        });
        assert!(untold(&package).is_empty());
        package["license"] = Value::Null;
        package["keywords"] = serde_json::json!([]);
        assert_eq!(untold(&package), ["keywords", "license"]);
    }

    #[test]
    fn the_tests_of_all_programs_are_counted() {
        let told = "test result: ok. 3 passed; 0 failed\nnoise\ntest result: ok. 12 passed; 0 failed\n";
        assert_eq!(passed(told), 15);
        assert_eq!(passed("test result: FAILED. 3 passed; 1 failed"), 0);
    }

    #[test]
    fn each_package_stands_for_its_own_in_the_registry() {
        let package = Package {
            name: "one".into(),
            stem: "one-0.2.0".into(),
            source: PathBuf::new(),
            untold: Vec::new(),
        };
        let text = manifest(&[package], "[profile.dev]\n");
        assert!(text.contains("members = [\n    \"one-0.2.0\",\n]"), "{text}");
        assert!(text.contains("one = { path = \"one-0.2.0\" }"), "{text}");
        assert!(text.ends_with("\n[profile.dev]\n"), "{text}");
    }

    #[test]
    fn packages_are_compiled_as_in_the_workspace() {
        let text = "[a]\n[profile.dev]\nb = 1\n\n[profile.dev.package]\nc = 2\n\n[profile.release]\nd = 3\n[profile.develop]\n";
        let expected = "[profile.dev]\nb = 1\n\n[profile.dev.package]\nc = 2\n\n";
        assert_eq!(profile(text, "dev").unwrap_or_default(), expected);
        assert_eq!(profile(text, "release").unwrap_or_default(), "[profile.release]\nd = 3\n");
        assert!(profile(text, "web").is_err());
    }
}
