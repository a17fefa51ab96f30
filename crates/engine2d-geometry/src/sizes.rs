//! The sizes of shapes that several numbers describe, each by its name. All are lengths unless said otherwise.

/// Of a [capsule](crate::Shape::capsule): all points within `radius` of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    /// Half the length of the segment.
    pub half_length: f64,
    /// The radius of the ends, and half the width.
    pub radius: f64,
}

/// Of a [diamond](crate::PathShape::diamond): a rectangle turned within its body frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Diamond {
    /// Its width before it is turned.
    pub width: f64,
    /// Its height before it is turned.
    pub height: f64,
    /// How far it is turned counter-clockwise (radians).
    pub angle: f64,
}

/// Of a [frame](crate::PathShape::frame): a hollow rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// From centre line to centre line of the upright walls.
    pub width: f64,
    /// From centre line to centre line of the level walls.
    pub height: f64,
    /// Of each wall.
    pub thickness: f64,
}

/// Of a [gear](crate::PathShape::gear).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gear {
    /// How many there are around.
    pub teeth: u32,
    /// Radius of the tips.
    pub outer: f64,
    /// Radius of the gaps.
    pub inner: f64,
    /// The fraction (pure number) of a tooth's angle that its tip covers.
    pub tip: f64,
}

/// Of a [pendulum](crate::PathShape::pendulum): a stick on a disc.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pendulum {
    /// Half the width of the stick.
    pub half_width: f64,
    /// From the centre of the disc to the end of the stick, less `half_width`.
    pub length: f64,
    /// From the centre of the disc up to where the stick begins.
    pub radius: f64,
}

/// Of a [rectangle with round corners](crate::PathShape::round_corner_block).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundCornerBlock {
    /// Over all.
    pub width: f64,
    /// Over all.
    pub height: f64,
    /// Of the quarter circles at the corners.
    pub radius: f64,
}
