//! Draws the pictures of `docs/geometry.md`: every line and number comes from a query.
//!
//! `cargo run -p engine2d-geometry --example pictures -- docs`

use engine2d_geometry::{
    Approach, CollisionBody, Contact, Distance, Impact, Motion, PathShape, Pose, Ray, Shape, distance, sizes,
    test_pair, time_of_impact,
};
use engine2d_math::{Vec2, trig};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;

/// Pixels of a unit of length.
const SCALE: f64 = 80.0;

const STYLE: &str = "<style>svg{background:#fff}path,line{fill:none;stroke:#444;stroke-width:1.5}\
    .body{fill:#dbe7f3}.other{fill:#f5e6c8}.ghost{fill:none;stroke-dasharray:4 4;stroke:#888}\
    .hit{stroke:#c22;stroke-width:2}circle{fill:#c22}text{font:13px sans-serif;fill:#222}</style>";

/// A picture of a part of the world, y upwards.
struct Picture {
    corner: Vec2,
    text: String,
}

impl Picture {
    /// A picture from the lower left corner, `size` wide and high.
    fn new(corner: Vec2, size: Vec2) -> Self {
        let (w, h) = (size.x * SCALE, size.y * SCALE);
        let head = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\">\n{STYLE}\n");
        Self { corner: corner + Vec2::new(0.0, size.y), text: head }
    }

    fn at(&self, p: Vec2) -> String {
        format!("{:.1} {:.1}", (p.x - self.corner.x) * SCALE, (self.corner.y - p.y) * SCALE)
    }

    fn outlines(&mut self, class: &str, outlines: impl IntoIterator<Item = Vec<Vec2>>) {
        let mut d = String::new();
        for outline in outlines {
            let points: Vec<String> = outline.iter().map(|p| self.at(*p)).collect();
            d += &format!("M{}Z", points.join("L"));
        }
        self.text += &format!("<path class=\"{class}\" fill-rule=\"evenodd\" d=\"{d}\"/>\n");
    }

    fn body(&mut self, class: &str, body: &CollisionBody) {
        let outlines = body.shape.outlines(2e-3);
        let world = outlines.iter().map(|o| o.iter().map(|p| body.to_world(*p)).collect());
        self.outlines(class, world);
    }

    fn shape(&mut self, class: &str, shape: &Shape, pose: &Pose) {
        let boundary = (0..180).map(|k| {
            let (sin, cos) = trig::sin_cos(f64::from(k) * std::f64::consts::TAU / 180.0);
            pose.transform(shape.support(Vec2::new(cos, sin)))
        });
        self.outlines(class, [boundary.collect()]);
    }

    fn line(&mut self, class: &str, from: Vec2, to: Vec2) {
        let d = format!("M{}L{}", self.at(from), self.at(to));
        self.text += &format!("<path class=\"{class}\" d=\"{d}\"/>\n");
    }

    fn point(&mut self, p: Vec2) {
        let (x, y) = ((p.x - self.corner.x) * SCALE, (self.corner.y - p.y) * SCALE);
        self.text += &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>\n");
    }

    fn label(&mut self, p: Vec2, words: &str) {
        let (x, y) = ((p.x - self.corner.x) * SCALE, (self.corner.y - p.y) * SCALE);
        self.text += &format!("<text x=\"{x:.1}\" y=\"{y:.1}\">{words}</text>\n");
    }

    fn save(self, directory: &str, name: &str) -> Result<(), Box<dyn Error>> {
        Ok(std::fs::write(Path::new(directory).join(name), self.text + "</svg>\n")?)
    }
}

fn body(shape: PathShape, x: f64, y: f64, angle: f64) -> CollisionBody {
    let mut body = CollisionBody::new(Arc::new(shape));
    body.pose = Pose::new(x, y, angle);
    body
}

/// Path bodies in contact: impact points and normals of the records.
fn contacts(directory: &str) -> Result<(), Box<dyn Error>> {
    let bowl = PathShape::from_svg_path("M-3 0V2H3V0H1.6A1.6 1.6 0 0 1-1.6 0Z")?;
    let mut bodies = vec![body(bowl, 0.0, 0.0, 0.0)];
    let floor = bodies[0].shape.center_of_mass();
    bodies[0].pose = Pose::new(floor.x, floor.y, 0.0);
    bodies[0].fixed = true;
    bodies.push(body(PathShape::ball(0.6)?, -0.3, -0.948, 0.0));
    bodies.push(body(PathShape::block(0.8, 0.5)?, 2.3, 0.255, 0.0));
    bodies.push(body(
        PathShape::gear(sizes::Gear { teeth: 8, outer: 0.5, inner: 0.35, tip: 0.2 })?,
        -2.3,
        0.5035,
        0.0,
    ));
    let mut found: Vec<Contact> = Vec::new();
    for i in 0..bodies.len() as u32 {
        for j in i + 1..bodies.len() as u32 {
            test_pair(&bodies, i, j, 0.0, &mut found);
        }
    }
    let mut picture = Picture::new(Vec2::new(-3.3, -2.2), Vec2::new(6.6, 3.6));
    for (i, body) in bodies.iter().enumerate() {
        picture.body(if i == 0 { "other" } else { "body" }, body);
    }
    for contact in &found {
        picture.line("hit", contact.point, contact.point + contact.normal * 0.45);
        picture.point(contact.point);
    }
    picture.save(directory, "geometry-contacts.svg")
}

/// Signed distance: separated and penetrating.
fn distances(directory: &str) -> Result<(), Box<dyn Error>> {
    let mut picture = Picture::new(Vec2::new(-1.4, -1.2), Vec2::new(7.2, 3.2));
    let ellipse = Shape::ellipse(1.0, 0.45)?;
    let house = Shape::polygon([[-0.8, -0.6], [0.8, -0.6], [0.8, 0.2], [0.0, 0.8], [-0.8, 0.2]])?;
    for (x, lift) in [(0.0, 1.45), (3.7, 0.75)] {
        let (a, b) = (Pose::new(x + 0.5, lift, 0.5), Pose::new(x, -0.4, 0.0));
        let Distance { distance, normal, point_a, point_b, .. } = distance(&ellipse, &a, &house, &b)?;
        picture.shape("other", &house, &b);
        picture.shape("body", &ellipse, &a);
        if distance < 0.0 {
            let p = a.position() - normal * distance;
            picture.shape("ghost", &ellipse, &Pose::new(p.x, p.y, a.angle()));
        }
        picture.line("hit", point_b, point_a);
        picture.point(point_a);
        picture.point(point_b);
        picture.label(Vec2::new(x + 0.95, -0.5), &format!("distance {distance:.3}"));
    }
    picture.save(directory, "geometry-distance.svg")
}

/// Rays against path bodies, with holes.
fn rays(directory: &str) -> Result<(), Box<dyn Error>> {
    let bodies = [
        body(PathShape::frame(sizes::Frame { width: 1.8, height: 1.4, thickness: 0.25 })?, 2.3, 1.1, 0.3),
        body(
            PathShape::round_corner_block(sizes::RoundCornerBlock { width: 1.2, height: 0.7, radius: 0.2 })?,
            2.0,
            -0.9,
            -0.4,
        ),
        body(PathShape::gear(sizes::Gear { teeth: 10, outer: 0.6, inner: 0.45, tip: 0.25 })?, 0.2, 1.3, 0.1),
    ];
    let mut picture = Picture::new(Vec2::new(-1.4, -1.7), Vec2::new(5.6, 3.9));
    for body in &bodies {
        picture.body("body", body);
    }
    let origin = Vec2::new(-0.9, -0.5);
    for k in 0..25 {
        let (sin, cos) = trig::sin_cos(-0.5 + f64::from(k) * 0.09);
        let ray = Ray { origin, direction: Vec2::new(cos, sin), reach: 4.2 };
        let mut reach = ray.reach;
        let mut normal = None;
        for body in &bodies {
            if let Some(hit) = body.cast_ray(&ray)?.filter(|hit| hit.distance < reach) {
                (reach, normal) = (hit.distance, Some(hit.normal));
            }
        }
        let end = origin + ray.direction * reach;
        picture.line("ghost", origin, end);
        if let Some(normal) = normal {
            picture.line("hit", end, end + normal * 0.2);
            picture.point(end);
        }
    }
    picture.save(directory, "geometry-rays.svg")
}

/// A bullet's way to a thin wall.
fn impact(directory: &str) -> Result<(), Box<dyn Error>> {
    let (bullet, wall) =
        (Shape::capsule(sizes::Capsule { half_length: 0.3, radius: 0.15 })?, Shape::rectangle(0.05, 1.2)?);
    let flight =
        Motion { start: Pose::new(-3.0, -0.5, 0.4), velocity: Vec2::new(8.0, 1.5), angular_velocity: 3.0 };
    let rest = Motion { start: Pose::new(0.6, 0.0, 0.0), velocity: Vec2::zeros(), angular_velocity: 0.0 };
    let mut proof = Vec::new();
    let found = {
        let within = Approach { tolerance: 1e-3, ..Approach::default() };
        time_of_impact((&bullet, &flight), (&wall, &rest), &within, &mut proof)?
    };
    let Impact::At { time, normal, .. } = found else { return Err("the bullet misses".into()) };
    let mut picture = Picture::new(Vec2::new(-3.6, -1.4), Vec2::new(5.4, 2.8));
    picture.shape("other", &wall, &rest.start);
    for bound in &proof {
        picture.shape("ghost", &bullet, &flight.at(bound.from));
    }
    let end = flight.at(time);
    picture.shape("body", &bullet, &end);
    picture.line("hit", end.position(), end.position() + normal * 0.6);
    picture.label(Vec2::new(-3.4, 1.1), &format!("impact at {time:.4}, {} advances", proof.len()));
    picture.save(directory, "geometry-impact.svg")
}

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).unwrap_or_else(|| "docs".to_owned());
    contacts(&directory)?;
    distances(&directory)?;
    rays(&directory)?;
    impact(&directory)
}
