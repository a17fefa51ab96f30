//! Which part of the world a picture shows.

use engine2d_geometry::PathShape;
use engine2d_math::Vec2;
use engine2d_scene::View;
use engine2d_sim::World;

/// Room left around what is shown, as a part of its larger extent.
const MARGIN: f64 = 0.06;

/// Smallest extent of a picture (length), for scenes of a single point.
const SMALLEST_EXTENT: f64 = 1e-3;

/// Grows to hold what moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    low: Vec2,
    high: Vec2,
}

impl Extent {
    pub(crate) fn empty() -> Self {
        Self { low: Vec2::repeat(f64::INFINITY), high: Vec2::repeat(f64::NEG_INFINITY) }
    }

    /// Of least x and y and greatest x and y; empty without.
    pub(crate) fn of(corners: Option<[f64; 4]>) -> Self {
        corners.map_or_else(Self::empty, |[left, bottom, right, top]| Self {
            low: Vec2::new(left, bottom),
            high: Vec2::new(right, top),
        })
    }

    /// Least x and y and greatest x and y, unless it is empty.
    pub(crate) fn corners(&self) -> Option<[f64; 4]> {
        let all = [self.low.x, self.low.y, self.high.x, self.high.y];
        all.iter().all(|value| value.is_finite()).then_some(all)
    }

    /// Takes in the bodies as they are now: those that move, or all if none does.
    pub(crate) fn include(&mut self, world: &World) {
        let nothing_moves = world.bodies().all(|body| body.is_fixed());
        for body in world.bodies().filter(|body| nothing_moves || !body.is_fixed()) {
            let collision = body.collision_body();
            let center = collision.world_centroid();
            let radius = Vec2::repeat(reach(&collision.shape));
            self.low = self.low.inf(&(center - radius));
            self.high = self.high.sup(&(center + radius));
        }
    }

    /// The rectangle with a margin.
    pub(crate) fn view(&self) -> View {
        if !(self.low.x <= self.high.x && self.low.y <= self.high.y) {
            return View { left: -1.0, bottom: -1.0, right: 1.0, top: 1.0 };
        }
        let size = self.high - self.low;
        let margin = (MARGIN * size.x.max(size.y)).max(SMALLEST_EXTENT);
        View {
            left: self.low.x - margin,
            bottom: self.low.y - margin,
            right: self.high.x + margin,
            top: self.high.y + margin,
        }
    }
}

/// Distance of the farthest vertex from the centroid; a wall's own figure is not its extent.
fn reach(shape: &PathShape) -> f64 {
    shape.vertices().iter().map(|v| (v.point() - shape.centroid()).norm()).fold(0.0, f64::max)
}
