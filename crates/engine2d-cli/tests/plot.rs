//! `engine2d plot`: SVG pictures of runs written as text and as Parquet.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn engine2d(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_engine2d")).args(arguments).output().expect("the command starts")
}

fn error_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A run of the pile for a second: 41 rows.
fn run(format: &str, name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let out = folder.to_str().expect("a path of Unicode");
    let output = engine2d(&["run", "pile", "--until", "1", "--format", format, "--out", out]);
    assert!(output.status.success(), "{}", error_of(&output));
    folder
}

fn text_of(path: &Path) -> &str {
    path.to_str().expect("a path of Unicode")
}

fn plot(folder: &Path, arguments: &[&str]) -> String {
    let out = folder.join("plot.svg");
    let line = [&["plot", text_of(folder), "--out", text_of(&out)], arguments].concat();
    let output = engine2d(&line);
    assert!(output.status.success(), "{arguments:?}: {}", error_of(&output));
    fs::read_to_string(out).expect("the picture")
}

/// The numbers of points of the lines that are not of the axes, and the dots.
fn points(svg: &str) -> (Vec<usize>, usize) {
    let lines = svg.split("<polyline ").skip(1).filter_map(|rest| rest.split("/>").next());
    let lines = lines.filter(|line| !line.contains("stroke=\"#000000\""));
    let counts = lines.map(|line| {
        let points = line.split("points=\"").nth(1).and_then(|rest| rest.split('"').next());
        points.map_or(0, |points| points.split_whitespace().count())
    });
    (counts.filter(|count| *count > 2).collect(), svg.matches("<circle ").count())
}

#[test]
fn plots_have_the_points_of_the_run_and_axes_with_units() {
    let (text, parquet) = (run("csv", "plot-csv"), run("parquet", "plot-parquet"));
    let cases: [(&[&str], [&str; 2]); 3] = [
        (&["--what", "energy"], ["time (time)", "energy (energy)"]),
        (&["--what", "trajectory", "--body", "ball1"], ["x (length)", "y (length)"]),
        (&["--what", "phase", "--body", "ball1"], ["angle (radians)", "angular velocity (radians/time)"]),
    ];
    let rows = fs::read_to_string(text.join("trajectory.csv")).unwrap().lines().count() - 1;
    for (arguments, axes) in cases {
        let (first, second) = (plot(&text, arguments), plot(&parquet, arguments));
        assert_eq!(first, second, "{arguments:?}: text and Parquet");
        assert!(axes.iter().all(|axis| first.contains(axis)), "{arguments:?}");
        let lines = if arguments.contains(&"energy") { 3 } else { 1 };
        assert_eq!(points(&first).0, vec![rows; lines], "{arguments:?}");
    }
    // As many dots as events.
    let events = fs::read_to_string(text.join("events.jsonl")).unwrap().lines().count();
    let svg = plot(&text, &["--what", "events"]);
    assert_eq!(points(&svg).1, events);
    assert!(events > 5 && svg.contains("collision"));
    assert_eq!(plot(&parquet, &["--what", "events"]), svg);
    let counts = plot(&parquet, &["--what", "contacts"]);
    assert_eq!(points(&counts).0, [rows]);
    assert!(counts.contains("contacts (number)"));
    let forces = plot(&parquet, &["--what", "forces"]);
    assert!(forces.contains("force (force)"));
}

#[test]
fn what_cannot_be_plotted_is_said() {
    let folder = run("csv", "plot-mistakes");
    let folder = folder.to_str().unwrap();
    let told = |arguments: &[&str], code: i32, text: &str| {
        let output = engine2d(&[&["plot"], arguments].concat());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", error_of(&output));
        assert!(error_of(&output).contains(text), "{arguments:?}: {}", error_of(&output));
    };
    told(&[folder, "--what", "trajectory", "--body", "bal1"], 2, "did you mean \"ball1\"?");
    told(&[folder, "--what", "phase"], 2, "--body is needed");
    told(&[folder, "--what", "forces"], 1, "--format parquet");
    told(&[folder, "--what", "energy", "--out", "energy.jpg"], 2, "SVG and PNG files are written");
    told(&["nowhere", "--what", "energy"], 1, "no folder of a run");
}

/// Width, height and pixels of a PNG file of eight bits for each of three colours without filters.
fn pixels(file: &[u8]) -> (usize, usize, Vec<[u8; 3]>) {
    use std::io::Read;
    assert_eq!(file[..8], *b"\x89PNG\r\n\x1a\n");
    let (mut place, mut header, mut packed) = (8, Vec::new(), Vec::new());
    while place < file.len() {
        let length = u32::from_be_bytes(file[place..place + 4].try_into().expect("four bytes")) as usize;
        let chunk = &file[place + 4..place + 8 + length];
        let mut sum = flate2::Crc::new();
        sum.update(chunk);
        let told = &file[place + 8 + length..place + 12 + length];
        assert_eq!(told, sum.sum().to_be_bytes(), "the sum of a chunk");
        match &chunk[..4] {
            b"IHDR" => header.extend(&chunk[4..]),
            b"IDAT" => packed.extend(&chunk[4..]),
            kind => assert_eq!(kind, b"IEND"),
        }
        place += 12 + length;
    }
    let size = |at: usize| u32::from_be_bytes(header[at..at + 4].try_into().expect("four bytes")) as usize;
    let (width, height) = (size(0), size(4));
    assert_eq!(header[8..], [8, 2, 0, 0, 0]);
    let mut rows = Vec::new();
    flate2::read::ZlibDecoder::new(&packed[..]).read_to_end(&mut rows).expect("rows of pixels");
    assert_eq!(rows.len(), height * (1 + 3 * width));
    let mut found = Vec::new();
    for row in rows.chunks_exact(1 + 3 * width) {
        assert_eq!(row[0], 0, "no filter");
        found.extend(row[1..].as_chunks::<3>().0);
    }
    (width, height, found)
}

#[test]
fn pixels_show_what_the_drawing_has() {
    let folder = run("csv", "plot-png");
    let draw = |arguments: &[&str], name: &str| {
        let out = folder.join(name);
        let line = [&["plot", text_of(&folder), "--out", text_of(&out)], arguments].concat();
        let output = engine2d(&line);
        assert!(output.status.success(), "{arguments:?}: {}", error_of(&output));
        fs::read(out).unwrap()
    };
    let arguments = ["--what", "trajectory", "--body", "ball1"];
    let (file, svg) = (draw(&arguments, "a.png"), plot(&folder, &arguments));
    assert_eq!(file, draw(&arguments, "b.PNG"), "the same bytes each time");
    let (width, height, pixels) = pixels(&file);
    assert_eq!((width, height), (1800, 1120));
    // Two pixels for a unit of the drawing: each point of its curve has about the curve's colour.
    let curves = svg.split("<polyline ").skip(1).filter_map(|rest| rest.split("/>").next());
    let curve =
        curves.filter(|line| !line.contains("stroke=\"#000000\"")).max_by_key(|line| line.len()).unwrap();
    let attribute = |name: &str| {
        curve.split(&format!("{name}=\"")).nth(1).and_then(|rest| rest.split('"').next()).unwrap()
    };
    let color = u32::from_str_radix(attribute("stroke").trim_start_matches('#'), 16).unwrap().to_be_bytes();
    let mut seen = 0;
    for point in attribute("points").split_whitespace() {
        let (x, y) = point.split_once(',').unwrap();
        let at = |text: &str| (2.0 * (text.parse::<f64>().unwrap() + 0.5)) as usize;
        // The edge of the stroke is soft.
        let found = pixels[at(y) * width + at(x)];
        let apart = found.iter().zip(&color[1..]).map(|(f, c)| f.abs_diff(*c)).max();
        assert!(apart < Some(60), "at {point}: {found:?}");
        seen += 1;
    }
    assert!(seen > 30, "{seen} points");
    // Letters: dark pixels to the left of the axis, where the ticks and the name of the axis are, and below it.
    let dark = |xs: std::ops::Range<usize>, ys: std::ops::Range<usize>| {
        ys.flat_map(|y| xs.clone().map(move |x| y * width + x)).filter(|&k| pixels[k][0] < 100).count()
    };
    assert!(dark(30..170, 100..900) > 500 && dark(200..1700, 1030..1110) > 500);
    assert_eq!(dark(0..20, 0..height), 0, "the margin is free");
}
