//! A picture of a world as SVG.

use crate::outline::{TieKind, curves, outline, ties};
use crate::palette::fill;
use crate::view::Extent;
use engine2d_geometry::{CollisionBody, Contact, FinderWorkspace, Pass, find_contacts};
use engine2d_math::Vec2;
use engine2d_scene::View;
use engine2d_sim::{BodyView, World};
use engine2d_watch::{DisplayItem, ForceSource, Shown};
use std::io::{self, Write};

/// How a picture is drawn.
#[derive(Clone, Copy, Debug)]
pub struct SvgOptions<'a> {
    /// Part of the world shown; `None` shows what moves.
    pub view: Option<View>,
    /// Width of the picture (pixels).
    pub width: f64,
    /// Whether contact forces are drawn as arrows.
    pub forces: bool,
    /// Whether the contacts of the present pose are drawn: a dot at the impact point, a line along the normal
    /// out of the normal body.
    pub contacts: bool,
    /// Objects drawn besides: circles and lines, forces of laws, impulses ([`DisplayList::items`](engine2d_watch::DisplayList::items)).
    pub shown: &'a [DisplayItem],
}

impl Default for SvgOptions<'_> {
    fn default() -> Self {
        Self { view: None, width: 800.0, forces: true, contacts: false, shown: &[] }
    }
}

/// Longest arrow, as a part of the picture's height.
const LONGEST_ARROW: f64 = 0.14;

/// Length of a drawn contact normal (pixels).
const NORMAL_LENGTH: f64 = 18.0;

/// Length of the arrow of a force law or an impulse (pixels): their sizes have no common measure.
const SHOWN_ARROW: f64 = 36.0;

/// Turns of a drawn spring.
const SPRING_TURNS: u32 = 12;

/// Writes a picture of the world as it is now.
///
/// # Errors
/// What writing reports.
pub fn write_svg(mut writer: impl Write, world: &World, options: &SvgOptions<'_>) -> io::Result<()> {
    let view = options.view.unwrap_or_else(|| {
        let mut extent = Extent::empty();
        extent.include(world);
        extent.view()
    });
    let scale = options.width / (view.right - view.left);
    let height = scale * (view.top - view.bottom);
    let place = |p: Vec2| Vec2::new((p.x - view.left) * scale, (view.top - p.y) * scale);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w:.0} {height:.0}\" width=\"{w:.0}\" \
         height=\"{height:.0}\" role=\"img\">\n<rect width=\"100%\" height=\"100%\" fill=\"#f7f8fa\"/>\n",
        w = options.width,
    );
    for curve in curves(world) {
        text += &format!(
            "<path d=\"{}\" fill=\"none\" stroke=\"#8d96a3\" stroke-width=\"2\"/>\n",
            path(curve.into_iter().map(place), false)
        );
    }
    for body in world.bodies() {
        text += &body_path(&body, place);
    }
    for tie in ties(world) {
        let [a, b] = tie.positions(world).map(place);
        text += &tie_path(tie.kind, a, b, tie.length * scale);
    }
    if options.forces {
        text += &force_arrows(world, place, LONGEST_ARROW * height);
    }
    text += &shown_objects(options.shown, place, scale);
    if options.contacts {
        text += &contact_marks(world, place);
    }
    text += "</svg>\n";
    writer.write_all(text.as_bytes())
}

fn path(points: impl Iterator<Item = Vec2>, closed: bool) -> String {
    let mut text = String::new();
    for (k, p) in points.enumerate() {
        text += &format!("{}{:.2} {:.2}", if k == 0 { "M" } else { "L" }, p.x, p.y);
    }
    if closed { text + "Z" } else { text }
}

fn body_path(body: &BodyView<'_>, place: impl Fn(Vec2) -> Vec2 + Copy) -> String {
    let pose = body.collision_body().pose;
    let to_picture = |p: Vec2| place(pose.position() + pose.rotate(p));
    let paths: String =
        outline(body).into_iter().map(|points| path(points.into_iter().map(to_picture), true)).collect();
    let color = fill(body.index(), body.is_fixed());
    let mut text = format!(
        "<path d=\"{paths}\" fill=\"{color}\" fill-opacity=\"0.85\" fill-rule=\"evenodd\" stroke=\"#23303f\" \
         stroke-width=\"1.2\" stroke-linejoin=\"round\"/>\n"
    );
    // A radius shows how discs turn.
    if body.shape().edges().len() == 1 && !body.is_fixed() {
        let bounds = body.shape().bounds();
        let tip = 0.25 * bounds.width().min(bounds.height());
        let (a, b) = (to_picture(Vec2::zeros()), to_picture(Vec2::new(tip, 0.0)));
        text += &format!(
            "<path d=\"{}\" stroke=\"#23303f\" stroke-width=\"1.2\"/>\n",
            path([a, b].into_iter(), false)
        );
    }
    text
}

fn tie_path(kind: TieKind, a: Vec2, b: Vec2, length: f64) -> String {
    let line = |points: Vec<Vec2>, width: f64| {
        format!(
            "<path d=\"{}\" fill=\"none\" stroke=\"#23303f\" stroke-width=\"{width}\"/>\n",
            path(points.into_iter(), false)
        )
    };
    match kind {
        TieKind::Pin => format!(
            "<circle cx=\"{:.2}\" cy=\"{:.2}\" r=\"3.5\" fill=\"#ffffff\" stroke=\"#23303f\" stroke-width=\"1.5\"/>\n",
            a.x, a.y
        ),
        TieKind::Rod => line(vec![a, b], 3.0),
        TieKind::Rope => {
            // A slack rope sags: a parabola of about the rope's length below its chord.
            let slack = (length - (b - a).norm()).max(0.0);
            let sag = (0.375 * slack * (length + slack)).sqrt();
            let at = |k: u32| {
                let t = f64::from(k) / 16.0;
                a + (b - a) * t + Vec2::new(0.0, 4.0 * sag * t * (1.0 - t))
            };
            line((0..=16).map(at).collect(), 1.5)
        }
        TieKind::Spring => {
            let along = b - a;
            let across = Vec2::new(-along.y, along.x) * (6.0 / along.norm().max(1.0));
            let at = |k: u32| {
                let side = if k == 0 || k == SPRING_TURNS { 0.0 } else { f64::from(k % 2) * 2.0 - 1.0 };
                a + along * (f64::from(k) / f64::from(SPRING_TURNS)) + across * side
            };
            line((0..=SPRING_TURNS).map(at).collect(), 1.5)
        }
    }
}

fn force_arrows(world: &World, place: impl Fn(Vec2) -> Vec2, longest: f64) -> String {
    let rigid = world.contact_forces().iter().filter(|f| !f.bilateral);
    let rigid = rigid.map(|f| (f.point, f.normal * f.force));
    let compliant = world.inspect().compliant_forces().iter().map(|f| (f.point, f.force()));
    let forces: Vec<(Vec2, Vec2)> = rigid.chain(compliant).collect();
    let largest = forces.iter().map(|(_, force)| force.norm()).fold(0.0, f64::max);
    if largest <= 0.0 {
        return String::new();
    }
    let mut text = String::new();
    for (point, force) in forces {
        let tail = place(point);
        // The y axis of the picture points down; each body gets its own arrow.
        let along = Vec2::new(force.x, -force.y).try_normalize(0.0).unwrap_or_else(Vec2::zeros);
        let size = longest * force.norm() / largest;
        text += &arrow(tail, along, size);
        text += &arrow(tail, -along, size);
    }
    text
}

/// What is shown for a while: circles and lines of the user's, forces of laws, impulses. Contact forces have
/// their own arrows.
fn shown_objects(items: &[DisplayItem], place: impl Fn(Vec2) -> Vec2, scale: f64) -> String {
    let mut text = String::new();
    let drawn = |v: Vec2| Vec2::new(v.x, -v.y);
    for item in items {
        match item.shown {
            Shown::Circle { center, radius } => {
                let c = place(center);
                text += &format!(
                    "<circle class=\"shown\" cx=\"{:.2}\" cy=\"{:.2}\" r=\"{:.2}\" fill=\"none\" stroke=\"#7a3fa0\"/>\n",
                    c.x,
                    c.y,
                    radius * scale
                );
            }
            Shown::Line { ends } => {
                text += &format!(
                    "<path class=\"shown\" d=\"{}\" stroke=\"#7a3fa0\" stroke-width=\"1.4\"/>\n",
                    path(ends.map(&place).into_iter(), false)
                );
            }
            Shown::Force { source: ForceSource::Law(_), point, vector }
            | Shown::Impulse { point, direction: vector, .. }
                if vector.norm() > 0.0 =>
            {
                text += &arrow(place(point), drawn(vector / vector.norm()), SHOWN_ARROW);
            }
            _ => {}
        }
    }
    text
}

/// The contacts that detection finds at the present pose, without regard to how the bodies came there.
fn contact_marks(world: &World, place: impl Fn(Vec2) -> Vec2) -> String {
    let bodies: Vec<CollisionBody> =
        world.bodies().map(|b| CollisionBody { old: None, ..b.collision_body().clone() }).collect();
    let tolerance = bodies.iter().map(|b| b.tolerances.distance).fold(0.0, f64::max);
    let mut contacts: Vec<Contact> = Vec::new();
    let pass = Pass { tolerance, ..Pass::default() };
    find_contacts(&bodies, &pass, &mut FinderWorkspace::default(), &mut contacts);
    let mut text = String::new();
    for contact in &contacts {
        let foot = place(contact.point);
        let tip = foot + Vec2::new(contact.normal.x, -contact.normal.y) * NORMAL_LENGTH;
        text += &format!(
            "<path class=\"normal\" d=\"{}\" stroke=\"#0a6e8a\" stroke-width=\"1.6\"/>\
             <circle class=\"contact\" cx=\"{:.2}\" cy=\"{:.2}\" r=\"2.6\" fill=\"#0a6e8a\"/>\n",
            path([foot, tip].into_iter(), false),
            foot.x,
            foot.y
        );
    }
    text
}

/// An arrow of some length (pixels) from a tail along a unit vector.
fn arrow(tail: Vec2, along: Vec2, size: f64) -> String {
    let across = Vec2::new(-along.y, along.x);
    let tip = tail + along * size;
    let head = (0.3 * size).clamp(3.0, 8.0);
    let (left, right) =
        (tip - along * head + across * (0.45 * head), tip - along * head - across * (0.45 * head));
    format!(
        "<path d=\"{}\" stroke=\"#c0182b\" stroke-width=\"1.6\" fill=\"none\"/><path d=\"{}\" fill=\"#c0182b\"/>\n",
        path([tail, tip].into_iter(), false),
        path([tip, left, right].into_iter(), true)
    )
}
