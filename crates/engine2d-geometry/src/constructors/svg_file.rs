//! Shapes of an SVG document: paths, circles, ellipses, rectangles, polygons, with the transforms of their groups.

mod error;
mod transform;
mod xml;

use super::fill::FillRule;
use super::svg_path::SvgOptions;
use crate::shape::PathShape;
pub use error::SvgError;
use transform::{Matrix, product};
use xml::{Part, Parts, Tag};

/// A shape of a picture.
#[derive(Clone, Debug)]
pub struct SvgShape {
    /// The `id` of its element.
    pub id: Option<String>,
    /// The element, like `path` or `rect`.
    pub element: String,
    /// Its outline, where it stands in the picture, y upwards.
    pub shape: PathShape,
}

/// What an SVG document draws.
#[derive(Clone, Debug)]
pub struct SvgPicture {
    /// The shapes in order.
    pub shapes: Vec<SvgShape>,
    /// What is drawn and has no area of its own, by line and element: texts, images, single lines, copies.
    pub skipped: Vec<(usize, String)>,
}

/// What an element hands down to those within it.
#[derive(Clone, Copy)]
struct Inherited {
    matrix: Matrix,
    fill_rule: FillRule,
    hidden: bool,
}

/// The shapes of an SVG document, given as text: `path`, `circle`, `ellipse`, `rect` (also rounded), `polygon` and
/// `polyline` (closed), with all transforms and fill rules, groups, and what `display` hides left out. Lengths are in the
/// document's user units, whatever its `viewBox`; `options.transform` is applied last. Whether something is filled plays no
/// part: its outline bounds the shape.
///
/// ```
/// use engine2d_geometry::{SvgOptions, svg_shapes};
///
/// let text = r#"<svg xmlns="http://www.w3.org/2000/svg">
///   <g transform="translate(10 20) scale(2)">
///     <circle id="wheel" cx="1" cy="0" r="0.5"/>
///     <rect width="4" height="1" rx="0.2"/>
///   </g>
/// </svg>"#;
/// let picture = svg_shapes(text, &SvgOptions::default())?;
/// let wheel = &picture.shapes[0];
/// assert_eq!(wheel.id.as_deref(), Some("wheel"));
/// let bounds = wheel.shape.bounds();
/// assert_eq!((bounds.center().x, bounds.center().y, bounds.width()), (12.0, -20.0, 2.0));
/// # Ok::<(), engine2d_geometry::SvgError>(())
/// ```
///
/// # Errors
/// [`SvgError`] with the line of what is wrong.
pub fn svg_shapes(text: &str, options: &SvgOptions) -> Result<SvgPicture, SvgError> {
    let mut open: Vec<(String, Inherited)> = Vec::new();
    let root = Inherited { matrix: options.transform, fill_rule: options.fill_rule, hidden: false };
    let mut picture = SvgPicture { shapes: Vec::new(), skipped: Vec::new() };
    let mut parts = Parts::new(text);
    let mut is_svg = false;
    while let Some(part) = parts.next()? {
        match part {
            Part::Close { name, line } => match open.pop() {
                Some((opened, _)) if opened == name => {}
                _ => return Err(SvgError::Xml { line, what: "a tag is closed that is not the last opened" }),
            },
            Part::Open(tag) => {
                if open.is_empty() && !is_svg && tag.name != "svg" {
                    return Err(SvgError::Xml { line: tag.line, what: "the document is not <svg>" });
                }
                is_svg = true;
                let above = open.last().map_or(root, |(_, inherited)| *inherited);
                let here = inherited(&tag, above)?;
                if !here.hidden {
                    draw(&tag, &here, options, &mut picture)?;
                }
                if !tag.is_empty {
                    open.push((tag.name, here));
                }
            }
        }
    }
    if !open.is_empty() || !is_svg {
        let what = if is_svg { "a tag is not closed" } else { "no <svg> is there" };
        return Err(SvgError::Xml { line: parts.line(), what });
    }
    Ok(picture)
}

/// What holds for a tag and those within it.
fn inherited(tag: &Tag, above: Inherited) -> Result<Inherited, SvgError> {
    let mut here = above;
    let templates = [
        "defs",
        "clipPath",
        "mask",
        "symbol",
        "pattern",
        "marker",
        "linearGradient",
        "radialGradient",
        "metadata",
    ];
    here.hidden |= templates.contains(&tag.name.as_str()) || tag.style("display") == Some("none");
    if let Some(value) = tag.get("transform") {
        let Some(matrix) = transform::parse(value) else {
            let allowed =
                "a list of matrix, translate, scale, rotate, skewX, skewY with their numbers is needed";
            return Err(wrong(tag, "transform", value, allowed));
        };
        here.matrix = product(above.matrix, matrix);
    }
    here.fill_rule = match tag.style("fill-rule") {
        Some("evenodd") => FillRule::EvenOdd,
        Some("nonzero") => FillRule::NonZero,
        _ => above.fill_rule,
    };
    Ok(here)
}

fn wrong(tag: &Tag, attribute: &'static str, value: &str, allowed: &'static str) -> SvgError {
    let (line, element, value) = (tag.line, tag.name.clone(), value.to_owned());
    SvgError::Attribute { line, element, attribute, value, allowed }
}

/// Adds the shape of a tag, if it draws one.
fn draw(tag: &Tag, here: &Inherited, options: &SvgOptions, picture: &mut SvgPicture) -> Result<(), SvgError> {
    let number = |name: &'static str, default: Option<f64>| -> Result<f64, SvgError> {
        let Some(text) = tag.get(name) else {
            return default.ok_or_else(|| wrong(tag, name, "", "it is missing"));
        };
        let digits = text.trim().strip_suffix("px").unwrap_or(text.trim());
        let value = digits.parse().ok().filter(|value: &f64| value.is_finite());
        value.ok_or_else(|| wrong(tag, name, text, "a number in user units is needed"))
    };
    let zero = Some(0.0);
    let d = match tag.name.as_str() {
        "path" => match tag.get("d") {
            // Nothing is drawn.
            None => return Ok(()),
            Some(d) if d.trim().is_empty() => return Ok(()),
            Some(d) => d.to_owned(),
        },
        "circle" => {
            let r = number("r", None)?;
            oval(number("cx", zero)?, number("cy", zero)?, [r, r])
        }
        "ellipse" => {
            oval(number("cx", zero)?, number("cy", zero)?, [number("rx", None)?, number("ry", None)?])
        }
        "rect" => {
            let size = [number("width", None)?, number("height", None)?];
            let rx = number("rx", Some(f64::NAN))?;
            let ry = number("ry", Some(f64::NAN))?;
            // A radius that is not given is the other one; none is more than half of its side.
            let radii = [if rx.is_nan() { ry } else { rx }, if ry.is_nan() { rx } else { ry }];
            let limited = |k: usize| if radii[k].is_nan() { 0.0 } else { radii[k].clamp(0.0, 0.5 * size[k]) };
            if !(size[0] > 0.0 && size[1] > 0.0) {
                let (name, k) = if size[0] > 0.0 { ("height", 1) } else { ("width", 0) };
                return Err(wrong(tag, name, &size[k].to_string(), "it must be > 0"));
            }
            rectangle([number("x", zero)?, number("y", zero)?], size, [limited(0), limited(1)])
        }
        "polygon" | "polyline" => {
            let points = tag.get("points").unwrap_or_default();
            if points.trim().is_empty() {
                return Ok(());
            }
            format!("M{points}Z")
        }
        "line" | "text" | "image" | "use" | "foreignObject" => {
            picture.skipped.push((tag.line, tag.name.clone()));
            return Ok(());
        }
        _ => return Ok(()),
    };
    let own = SvgOptions { transform: here.matrix, fill_rule: here.fill_rule, ..*options };
    let shape = PathShape::from_svg_path_with(&d, &own).map_err(|source| SvgError::Shape {
        line: tag.line,
        element: tag.name.clone(),
        source,
    })?;
    picture.shapes.push(SvgShape { id: tag.get("id").map(str::to_owned), element: tag.name.clone(), shape });
    Ok(())
}

/// The path of an ellipse.
fn oval(x: f64, y: f64, [rx, ry]: [f64; 2]) -> String {
    format!("M{} {y}A{rx} {ry} 0 0 1 {} {y}A{rx} {ry} 0 0 1 {} {y}Z", x - rx, x + rx, x - rx)
}

/// The path of a rectangle with rounded corners.
fn rectangle([x, y]: [f64; 2], [w, h]: [f64; 2], [rx, ry]: [f64; 2]) -> String {
    if rx == 0.0 || ry == 0.0 {
        return format!("M{x} {y}h{w}v{h}h{}Z", -w);
    }
    let (right, bottom) = (x + w, y + h);
    let arc = format!("A{rx} {ry} 0 0 1");
    format!(
        "M{} {y}L{} {y}{arc} {right} {}L{right} {}{arc} {} {bottom}L{} {bottom}{arc} {x} {}L{x} {}{arc} {} {y}Z",
        x + rx,
        right - rx,
        y + ry,
        bottom - ry,
        right - rx,
        x + rx,
        bottom - ry,
        y + ry,
        x + rx,
    )
}

#[cfg(test)]
mod tests;
