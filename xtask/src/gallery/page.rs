//! The pages of the gallery.

use engine2d_record::Summary;

/// The look of all pages.
pub(super) const STYLE: &str = include_str!("gallery.css");

/// Size of the plot of energies (pixels).
const PLOT: [f64; 2] = [640.0, 180.0];

/// Room left of the plot for numbers (pixels).
const LEFT: f64 = 64.0;

/// Room above and below the plot (pixels).
const ROOM: f64 = 14.0;

/// Most points of a curve.
const MOST_POINTS: usize = 640;

/// What a run left.
pub(super) struct Shown {
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
    pub(super) text: String,
    pub(super) duration: f64,
    pub(super) figures: Summary,
    /// Time, kinetic and potential energy.
    pub(super) energies: Vec<[f64; 3]>,
    /// Why the run ended before its time.
    pub(super) short: Option<String>,
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n<link \
         rel=\"stylesheet\" href=\"gallery.css\">\n</head>\n<body>\n{body}</body>\n</html>\n",
        escaped(title)
    )
}

/// The page of all scenes.
pub(super) fn index(all: &[Shown]) -> String {
    let cards: String = all
        .iter()
        .map(|shown| {
            let name = shown.name.replace('_', " ");
            format!(
                "<li><a href=\"{0}.html\"><img src=\"{0}.svg\" alt=\"\" loading=\"lazy\"><b>{name}</b><span>{1}</span></a></li>\n",
                shown.name,
                escaped(shown.summary)
            )
        })
        .collect();
    let body = format!(
        "<header><h1>engine2d <span>gallery</span></h1><p>{} scenes, each run to its end by exact contact forces. \
         <a href=\"../lab/index.html\">Open the lab</a></p></header>\n<main><ul class=\"cards\">\n{cards}</ul></main>\n",
        all.len()
    );
    page("engine2d gallery", &body)
}

/// The page of a scene.
pub(super) fn scene(shown: &Shown) -> String {
    let (figures, name) = (&shown.figures, shown.name.replace('_', " "));
    let drift = figures.energy_end - figures.energy_start;
    let rows = [
        ("simulated", format!("{:.3} s", figures.simulated_s)),
        ("computed in", format!("{:.3} s", figures.timing.wall_s)),
        ("collisions", figures.collisions.to_string()),
        ("most contacts", figures.contacts_max.to_string()),
        ("complementarity problems", figures.lcp_solves.to_string()),
        ("worst certificate", format!("{:.1e}", figures.worst_certificate)),
        ("worst penetration", format!("{:.1e} m", figures.worst_penetration)),
        ("worst joint error", format!("{:.1e} m", figures.worst_joint_error)),
        (
            "energy, start to end",
            format!(
                "{:.6} {} {:.6} J",
                figures.energy_start,
                if drift < 0.0 { "−" } else { "+" },
                drift.abs()
            ),
        ),
        ("digest", figures.digest.clone()),
    ];
    let rows: String = rows
        .iter()
        .map(|(name, value)| format!("<tr><th scope=\"row\">{name}</th><td>{value}</td></tr>\n"))
        .collect();
    let short = shown.short.as_ref().map_or(String::new(), |why| {
        format!("<p class=\"short\">This run of {} s ended early: {}.</p>\n", shown.duration, escaped(why))
    });
    let body = format!(
        "<header><h1><a href=\"index.html\">engine2d <span>gallery</span></a> / {name}</h1><p>{summary}</p>\n<p class=\"links\"><a \
         class=\"button\" href=\"../lab/index.html#scene={file}\">Open in the lab</a> <a class=\"button quiet\" \
         href=\"{file}.replay.html\">Replay alone</a></p></header>\n<main>\n{short}<iframe src=\"{file}.replay.html\" title=\"Replay of \
         {name}\" loading=\"lazy\"></iframe>\n<div class=\"two\"><section><h2>Figures</h2><table>{rows}</table></section>\n<section>\
         <h2>Energies</h2>{plot}</section></div>\n<section><h2>Scene</h2><details><summary>{lines} lines of JSON</summary><pre tabindex=\"0\">{text}</pre>\
         </details></section>\n</main>\n",
        summary = escaped(shown.summary),
        file = shown.name,
        plot = plot(&shown.energies),
        lines = shown.text.lines().count(),
        text = escaped(&shown.text),
    );
    page(&format!("{name} · engine2d gallery"), &body)
}

/// The energies over time.
fn plot(energies: &[[f64; 3]]) -> String {
    let [width, height] = PLOT;
    let total = |row: &[f64; 3]| row[1] + row[2];
    let values = || energies.iter().flat_map(|row| [row[1], row[2], total(row)]);
    let (low, high) =
        values().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    let span = if high > low { high - low } else { 1.0 };
    let (from, to) = (energies.first().map_or(0.0, |row| row[0]), energies.last().map_or(1.0, |row| row[0]));
    let length = if to > from { to - from } else { 1.0 };
    let stride = energies.len().div_ceil(MOST_POINTS).max(1);
    let curve = |class: &str, of: &dyn Fn(&[f64; 3]) -> f64| {
        let points: String = energies
            .iter()
            .step_by(stride)
            .map(|row| {
                let x = LEFT + (row[0] - from) / length * (width - LEFT);
                let y = ROOM + (high - of(row)) / span * (height - 2.0 * ROOM);
                format!("{x:.1},{y:.1} ")
            })
            .collect();
        format!("<polyline class=\"{class}\" points=\"{points}\"/>")
    };
    let label = |y: f64, value: f64| format!("<text x=\"{}\" y=\"{y:.0}\">{value:.3}</text>", LEFT - 8.0);
    format!(
        "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"Kinetic, potential and total energy over \
         time\">{}{}{}{}{}</svg><p class=\"key\"><i class=\"kinetic\"></i>kinetic <i class=\"potential\"></i>potential <i \
         class=\"total\"></i>total, in joules over {:.3} seconds</p>",
        label(ROOM + 4.0, high),
        label(height - ROOM + 4.0, high - span),
        curve("kinetic", &|row| row[1]),
        curve("potential", &|row| row[2]),
        curve("total", &total),
        to - from,
    )
}
