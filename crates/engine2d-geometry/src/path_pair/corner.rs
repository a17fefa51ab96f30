//! The corner at a vertex of an outline: the directions in which its edges leave, and the normals it has.

use super::frame::Placed;
use crate::tolerance::FACING;
use engine2d_math::{Vec2, cross, perp};

/// How two edges join at a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    /// A corner of the solid: it has a cone of normals.
    Convex,
    /// A corner of the outside.
    Reflex,
    /// Both edges have one normal there.
    Smooth,
}

/// A vertex with its two edges, in the frame of a pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) vertex: u32,
    pub(super) point: Vec2,
    pub(super) join: Join,
    /// Outward unit normals of the edge that ends and of the one that starts here.
    pub(super) normals: [Vec2; 2],
    /// Unit directions along these edges away from the vertex.
    pub(super) leaving: [Vec2; 2],
    /// Indices of these edges.
    pub(super) edges: [u32; 2],
}

impl Corner {
    pub(super) fn new(placed: &Placed<'_>, vertex: u32) -> Self {
        let shape = placed.path.shape;
        let v = &shape.vertices()[vertex as usize];
        let pose = &placed.path.pose;
        let edges = [v.previous_edge, v.next_edge];
        let [previous, next] = edges.map(|i| &shape.edges()[i as usize]);
        let (first_normal, arriving) = previous.at_end();
        let (second_normal, starting) = next.at_start();
        let leaving = [pose.rotate(-arriving), pose.rotate(starting)];
        let normals = [pose.rotate(first_normal), pose.rotate(second_normal)];
        let rise = normals[0].dot(&leaving[1]);
        let join = if rise.abs() <= FACING && normals[0].dot(&normals[1]) > 0.0 {
            Join::Smooth
        } else if rise <= FACING {
            // A spike between tangent arcs is a corner too.
            Join::Convex
        } else {
            Join::Reflex
        };
        Self { vertex, point: placed.point(v.point()), join, normals, leaving, edges }
    }

    /// Sine of the angle by which an edge of the corner comes down towards a side of outward unit normal `normal`
    /// that the corner faces; 0 when the corner is nearest to it.
    #[inline]
    pub(super) fn descent(&self, normal: Vec2) -> f64 {
        let least = self.leaving[0].dot(&normal).min(self.leaving[1].dot(&normal));
        (-least).max(0.0)
    }

    /// The middle of the directions that are outward normals of corner `b` and, reversed, of corner `a`, and whether
    /// there is more than one; `None` if there is none, as of corners that overlap.
    pub(super) fn common_normal(a: &Self, b: &Self) -> Option<(Vec2, bool)> {
        let (low, high) = Self::common_normals(a, b)?;
        let sum = low + high;
        let length = sum.norm();
        let middle = if length > FACING { sum / length } else { perp(low) };
        Some((middle, cross(low, high).abs() > FACING))
    }

    /// The first and the last, counterclockwise, of these directions.
    pub(super) fn common_normals(a: &Self, b: &Self) -> Option<(Vec2, Vec2)> {
        let candidates = [-a.normals[0], -a.normals[1], b.normals[0], b.normals[1]];
        let fits = |m: &Vec2| b.descent_from(*m) <= FACING && a.descent(*m) <= FACING;
        let mut ends: Option<(Vec2, Vec2)> = None;
        for m in candidates.into_iter().filter(fits) {
            ends = Some(match ends {
                None => (m, m),
                Some((low, high)) if cross(low, m) < 0.0 => (m, high),
                Some((low, high)) if cross(high, m) > 0.0 => (low, m),
                Some(both) => both,
            });
        }
        ends
    }

    /// As [`descent`](Self::descent) for an outward normal of the corner itself.
    fn descent_from(&self, normal: Vec2) -> f64 {
        self.descent(-normal)
    }

    /// A unit normal between two corners at one place, out of `b` into `a`, whatever they are.
    pub(super) fn normal_between(a: &Self, b: &Self) -> Vec2 {
        if let Some((normal, _)) = Self::common_normal(a, b) {
            return normal;
        }
        let sum = b.normals[0] + b.normals[1] - a.normals[0] - a.normals[1];
        let length = sum.norm();
        if length > FACING { sum / length } else { b.normals[0] }
    }
}
