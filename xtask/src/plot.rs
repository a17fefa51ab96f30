//! Line charts as SVG.

use std::fmt::Write;

/// A line of a chart.
pub(crate) struct Series {
    pub(crate) label: String,
    pub(crate) points: Vec<[f64; 2]>,
}

/// A chart; logarithmic axes show powers of ten.
pub(crate) struct Chart<'a> {
    pub(crate) title: &'a str,
    pub(crate) axes: [&'a str; 2],
    pub(crate) logarithmic: bool,
    pub(crate) series: &'a [Series],
}

const SIZE: [f64; 2] = [680.0, 420.0];
const MARGIN: [f64; 2] = [70.0, 50.0];
const LEGEND: f64 = 200.0;
const COLORS: [&str; 8] =
    ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f"];

impl Chart<'_> {
    /// The chart as a file.
    pub(crate) fn to_svg(&self) -> String {
        let scale = |v: f64| if self.logarithmic { v.max(f64::MIN_POSITIVE).log10() } else { v };
        let range = |axis: usize| {
            let values = self.series.iter().flat_map(|s| &s.points).map(|p| scale(p[axis]));
            let (low, high) =
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
            if self.logarithmic { (low.floor(), high.ceil()) } else { (low.min(0.0), high) }
        };
        let ranges = [range(0), range(1)];
        let inner = [SIZE[0] - MARGIN[0] - LEGEND, SIZE[1] - 2.0 * MARGIN[1]];
        let place = |p: [f64; 2]| {
            let part = |axis: usize| (scale(p[axis]) - ranges[axis].0) / (ranges[axis].1 - ranges[axis].0);
            [MARGIN[0] + part(0) * inner[0], SIZE[1] - MARGIN[1] - part(1) * inner[1]]
        };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" \
             font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{}\" y=\"24\" font-size=\"14\">{}</text>\n",
            SIZE[0], SIZE[1], MARGIN[0], self.title
        );
        for axis in 0..2 {
            for tick in self.ticks(ranges[axis]) {
                let value = if self.logarithmic { 10f64.powf(tick) } else { tick };
                let mut ends = [[0.0; 2]; 2];
                for (end, other) in ends.iter_mut().zip([ranges[1 - axis].0, ranges[1 - axis].1]) {
                    let other = if self.logarithmic { 10f64.powf(other) } else { other };
                    *end = place(if axis == 0 { [value, other] } else { [other, value] });
                }
                let label = if self.logarithmic { format!("1e{tick:.0}") } else { format!("{tick:.1}") };
                let [[x1, y1], [x2, y2]] = ends;
                let (x, y, anchor) =
                    if axis == 0 { (x1, y1 + 15.0, "middle") } else { (x1 - 6.0, y1 + 4.0, "end") };
                let _infallible = writeln!(
                    svg,
                    "<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"#ddd\"/>\
                     <text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{label}</text>"
                );
            }
        }
        let _infallible = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(16 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            MARGIN[0] + 0.5 * inner[0],
            SIZE[1] - 12.0,
            self.axes[0],
            0.5 * SIZE[1],
            self.axes[1]
        );
        for (k, series) in self.series.iter().enumerate() {
            let color = COLORS[k % COLORS.len()];
            let points: Vec<String> =
                series.points.iter().map(|&p| place(p)).map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
            let (x, y) = (SIZE[0] - LEGEND + 12.0, MARGIN[1] + 16.0 * k as f64);
            let _infallible = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.6\"/>\
                 <rect x=\"{x:.1}\" y=\"{:.1}\" width=\"10\" height=\"3\" fill=\"{color}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                points.join(" "),
                y - 4.0,
                x + 15.0,
                y,
                series.label
            );
        }
        svg + "</svg>\n"
    }

    fn ticks(&self, (low, high): (f64, f64)) -> Vec<f64> {
        let step = if self.logarithmic { ((high - low) / 8.0).ceil().max(1.0) } else { (high - low) / 5.0 };
        (0..=8).map(|k| low + step * f64::from(k)).filter(|t| *t <= high + 1e-9 * step).collect()
    }
}
