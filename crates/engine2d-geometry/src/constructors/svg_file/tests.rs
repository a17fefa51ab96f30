//! Documents as drawing programs write them, and broken ones.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use std::f64::consts::PI;

fn areas(text: &str) -> Vec<f64> {
    let picture = svg_shapes(text, &SvgOptions { tolerance: 1e-6, ..SvgOptions::default() }).unwrap();
    picture.shapes.iter().map(|each| each.shape.area_properties().area).collect()
}

fn body(inner: &str) -> String {
    format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox=\"0 0 9 9\">{inner}</svg>")
}

#[test]
fn a_document_of_a_drawing_program_is_read() {
    let text = r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- drawn by hand -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
  <!ENTITY ns "http://www.w3.org/2000/svg">
]>
<svg:svg xmlns:svg="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/" width="210mm">
  <svg:defs><svg:path id="hidden" d="M0 0h1v1z"/></svg:defs>
  <inkscape:namedview pagecolor="&#35;fff"><inkscape:grid/></inkscape:namedview>
  <svg:g id="layer" transform="translate(1,2) rotate(90)" style="fill-rule:evenodd;fill:none">
    <svg:path id="ring" d="M0,0 h4 v3 h-4 z m1,1 h1 v1 h-1 z"/>
    <svg:g display="none"><svg:circle r="3"/></svg:g>
    <svg:text>a &lt; b</svg:text>
  </svg:g>
  <svg:style><![CDATA[ path > g { fill: red } ]]></svg:style>
  <svg:polygon points="0,0 2,0 2,1"/>
</svg:svg>"#;
    let picture = svg_shapes(text, &SvgOptions::default()).unwrap();
    let names: Vec<_> = picture.shapes.iter().map(|s| (s.id.as_deref(), s.element.as_str())).collect();
    assert_eq!(names, [(Some("ring"), "path"), (None, "polygon")]);
    assert_eq!(picture.skipped, [(12, "text".to_owned())]);
    let ring = &picture.shapes[0].shape;
    assert!((ring.area_properties().area - 11.0).abs() < 1e-12, "the fill rule is the group's");
    // Turned by a quarter: x from -2 to 1, y down from 2 to 6.
    let bounds = ring.bounds();
    assert_eq!([bounds.min.x, bounds.max.x, bounds.min.y, bounds.max.y], [-2.0, 1.0, -6.0, -2.0]);
}

#[test]
fn each_element_has_its_area() {
    let found = areas(&body(
        "<circle cx='3' cy='1' r='2px'/><ellipse rx='2' ry='1'/><rect width='4' height='3'/>
         <rect x='1' y='1' width='4' height='3' rx='0.5'/><rect width='4' height='3' rx='9'/>
         <polyline points='0 0 4 0 4 3'/><path d=''/><path/><rect width='2' height='1' transform='skewX(30)'/>
         <rect width='1' height='1' transform='matrix(2 0 0 -3 1 1)'/>",
    ));
    let expected = [4.0 * PI, 2.0 * PI, 12.0, 12.0 - 0.25 * (4.0 - PI), PI * 2.0 * 1.5, 6.0, 2.0, 6.0];
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-4, "{found} for {expected}");
    }
}

#[test]
fn transforms_of_groups_and_of_the_call_come_in_their_order() {
    let text =
        body("<g transform='translate(10)'><g transform='scale(2) translate(1 1)'><circle r='1'/></g></g>");
    let options = SvgOptions { transform: [0.5, 0.0, 0.0, 0.5, 0.0, 0.0], ..SvgOptions::default() };
    let picture = svg_shapes(&text, &options).unwrap();
    let bounds = picture.shapes[0].shape.bounds();
    assert!((bounds.center().x - 6.0).abs() < 1e-12 && (bounds.center().y + 1.0).abs() < 1e-12);
    assert!((bounds.width() - 2.0).abs() < 1e-12);
    assert_eq!(picture.shapes[0].shape.edges().len(), 2, "a scaled circle stays round");
    let about =
        svg_shapes(&body("<circle cx='1' r='.1' transform='rotate(180 3 0)'/>"), &SvgOptions::default());
    assert!((about.unwrap().shapes[0].shape.bounds().center().x - 5.0).abs() < 1e-12);
}

#[test]
fn faults_are_told_with_their_line() {
    let told = |text: &str| svg_shapes(text, &SvgOptions::default()).unwrap_err().to_string();
    for (text, expected) in [
        ("", "line 1: no <svg> is there"),
        ("<html/>", "line 1: the document is not <svg>"),
        ("<svg>\n<g></svg>", "line 2: a tag is closed that is not the last opened"),
        ("<svg>\n<g>", "line 2: a tag is not closed"),
        ("<svg a>", "line 1: an attribute has no value"),
        ("<svg a=b>", "line 1: the value of an attribute is not in quotes"),
        ("<svg a='b", "line 1: the value of an attribute is not closed by its quote"),
        ("<svg ", "line 1: a tag is not closed by >"),
        ("<svg><!-- ", "line 1: a comment is not closed"),
        ("<svg>\n<circle/></svg>", "line 2: r of <circle> is \"\": it is missing"),
        (
            "<svg><circle r='1cm'/></svg>",
            "line 1: r of <circle> is \"1cm\": a number in user units is needed",
        ),
        ("<svg><rect width='0' height='1'/></svg>", "line 1: width of <rect> is \"0\": it must be > 0"),
        (
            "<svg><g transform='turn(3)'/></svg>",
            "line 1: transform of <g> is \"turn(3)\": a list of matrix, \
          translate, scale, rotate, skewX, skewY with their numbers is needed",
        ),
        (
            "<svg>\n\n<path d='M0 0 X'/></svg>",
            "line 3: <path>: the path data at byte 5: only the commands M, L, H, \
          V, C, S, Q, T, A, Z (and in lower case) are known",
        ),
    ] {
        assert_eq!(told(text), expected);
    }
}

#[test]
fn no_text_makes_it_panic() {
    let text = body("<g transform='rotate(3)'><path d='M0 0h1v1z' style='fill-rule:evenodd'/></g>");
    for k in 0..text.len() {
        for cut in [&text[..k], &text[k..]] {
            let _ = svg_shapes(cut, &SvgOptions::default());
        }
        for letter in ["<", ">", "'", "é", "&", "/"] {
            let _ = svg_shapes(&format!("{}{letter}{}", &text[..k], &text[k..]), &SvgOptions::default());
        }
    }
}
