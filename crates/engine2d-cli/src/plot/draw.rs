//! A figure as a picture, by plotters.

use super::figure::{Figure, Mark};
use super::raster::Raster;
use plotters::coord::Shift;
use plotters::prelude::*;
use std::ops::Range;

/// Size of a picture (pixels).
const SIZE: (u32, u32) = (900, 560);
/// Part of the extent that is left free on each side.
const MARGIN: f64 = 0.05;
/// Most names in a legend: more would cover the plot.
const MOST_NAMES: usize = 12;
/// Radius of a dot (pixels).
const DOT: i32 = 2;

/// The picture; what the drawing library says if it cannot be made.
pub(super) fn svg(figure: &Figure) -> Result<String, String> {
    let mut picture = String::new();
    draw(figure, SVGBackend::with_string(&mut picture, SIZE).into_drawing_area()).map_err(said)?;
    Ok(picture)
}

/// The same as pixels in a PNG file.
pub(super) fn png(figure: &Figure) -> Result<Vec<u8>, String> {
    let mut raster = Raster::new(SIZE);
    draw(figure, (&mut raster).into_drawing_area()).map_err(said)?;
    raster.png().map_err(said)
}

fn said(error: impl std::fmt::Display) -> String {
    format!("the picture cannot be drawn: {error}")
}

fn draw<B: DrawingBackend>(
    figure: &Figure,
    area: DrawingArea<B, Shift>,
) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
    area.fill(&WHITE)?;
    let [x, mut y] = [0, 1].map(|axis| extent(figure, axis));
    if !figure.rows.is_empty() {
        // Kinds stand on lines of their own.
        y = -1.0..figure.series.len() as f64;
    }
    let (x, y) = if figure.equal { equal(x, y) } else { (x, y) };
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(if figure.rows.is_empty() { 72 } else { 150 })
        .build_cartesian_2d(x, y)?;
    let rows = &figure.rows;
    let label = |value: &f64| kind(rows, *value);
    let mut mesh = chart.configure_mesh();
    mesh.x_desc(&figure.x).y_desc(&figure.y).light_line_style(WHITE);
    if !rows.is_empty() {
        mesh.y_labels(rows.len() + 2).y_label_formatter(&label);
    }
    mesh.draw()?;
    for (k, series) in figure.series.iter().enumerate() {
        let color = Palette99::pick(k).to_rgba();
        let points = series.points.iter().filter(|[x, y]| x.is_finite() && y.is_finite());
        let points = points.map(|[x, y]| (*x, *y));
        let drawn = match series.mark {
            Mark::Line => chart.draw_series(LineSeries::new(points, &color))?,
            Mark::Dots => chart.draw_series(points.map(|at| Circle::new(at, DOT, color.filled())))?,
        };
        if k < MOST_NAMES && rows.is_empty() {
            drawn.label(&series.name).legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], color));
        }
    }
    if rows.is_empty() && !figure.series.is_empty() {
        chart.configure_series_labels().background_style(WHITE).border_style(BLACK).draw()?;
    }
    area.present()?;
    Ok(())
}

/// The kind that a whole number of the axis stands for.
fn kind(rows: &[String], value: f64) -> String {
    let place = value.round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a place in a list, judged below"
    )]
    let name = (place >= 0.0 && (value - place).abs() < MARGIN).then(|| rows.get(place as usize)).flatten();
    name.cloned().unwrap_or_default()
}

/// The range of an axis that shows all points.
fn extent(figure: &Figure, axis: usize) -> Range<f64> {
    let values = figure.series.iter().flat_map(|series| series.points.iter().map(move |point| point[axis]));
    let finite = values.filter(|value| value.is_finite());
    let (low, high) =
        finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if low > high {
        return 0.0..1.0;
    }
    let free = if high > low { (high - low) * MARGIN } else { low.abs().max(1.0) * MARGIN };
    low - free..high + free
}

/// Ranges in which a unit is as long along both axes.
fn equal(x: Range<f64>, y: Range<f64>) -> (Range<f64>, Range<f64>) {
    let (width, height) = (x.end - x.start, y.end - y.start);
    let unit = (width / f64::from(SIZE.0)).max(height / f64::from(SIZE.1));
    let wide = |range: &Range<f64>, pixels: u32| {
        let (middle, half) = ((range.start + range.end) / 2.0, unit * f64::from(pixels) / 2.0);
        middle - half..middle + half
    };
    (wide(&x, SIZE.0), wide(&y, SIZE.1))
}
