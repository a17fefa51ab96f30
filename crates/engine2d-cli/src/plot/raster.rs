//! A picture of pixels: what the drawing library asks for as strokes and areas with soft edges, written as PNG.

use super::glyphs;
use flate2::{Compression, Crc, write::ZlibEncoder};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};
use std::convert::Infallible;
use std::io::Write;

/// Pixels for each unit of the drawing.
const SCALE: f64 = 2.0;
/// Width of the strokes of letters, as a part of their size.
const WEIGHT: f64 = 0.09;

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// The pixels, row by row from the top.
pub(super) struct Raster {
    size: (u32, u32),
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
}

impl Raster {
    /// A white picture of a size in units of the drawing.
    pub(super) fn new(size: (u32, u32)) -> Self {
        let [width, height] = [size.0, size.1].map(|units| (f64::from(units) * SCALE) as usize);
        Self { size, width, height, pixels: vec![[255; 3]; width * height] }
    }

    /// Mixes a colour into a pixel.
    fn mix(&mut self, x: usize, y: usize, color: BackendColor, share: f64) {
        let share = (color.alpha * share).clamp(0.0, 1.0);
        let (r, g, b) = color.rgb;
        for (old, new) in self.pixels[y * self.width + x].iter_mut().zip([r, g, b]) {
            *old = (f64::from(*old) + share * (f64::from(new) - f64::from(*old))).round() as u8;
        }
    }

    /// Colours the pixels of a box, in pixels, by how much of each is covered.
    fn cover(&mut self, [low, high]: [[f64; 2]; 2], color: BackendColor, covered: impl Fn([f64; 2]) -> f64) {
        let range = |from: f64, to: f64, end: usize| {
            let first = from.floor().max(0.0) as usize;
            first..(to.ceil().max(0.0) as usize).min(end)
        };
        for y in range(low[1], high[1], self.height) {
            for x in range(low[0], high[0], self.width) {
                let share = covered([x as f64 + 0.5, y as f64 + 0.5]);
                if share > 0.0 {
                    self.mix(x, y, color, share);
                }
            }
        }
    }

    /// A straight stroke with round ends, in pixels.
    fn stroke(&mut self, from: [f64; 2], to: [f64; 2], width: f64, color: BackendColor) {
        let reach = 0.5 * width + 1.0;
        let low = [0, 1].map(|k| from[k].min(to[k]) - reach);
        let high = [0, 1].map(|k| from[k].max(to[k]) + reach);
        let along = [to[0] - from[0], to[1] - from[1]];
        let square = along[0] * along[0] + along[1] * along[1];
        self.cover([low, high], color, |[x, y]| {
            let [dx, dy] = [x - from[0], y - from[1]];
            let share =
                if square > 0.0 { ((dx * along[0] + dy * along[1]) / square).clamp(0.0, 1.0) } else { 0.0 };
            let distance = (dx - share * along[0]).hypot(dy - share * along[1]);
            (0.5 * width + 0.5 - distance).min(1.0)
        });
    }

    /// The picture as a PNG file: eight bits for each of three colours.
    pub(super) fn png(&self) -> std::io::Result<Vec<u8>> {
        let mut rows = ZlibEncoder::new(Vec::new(), Compression::best());
        for row in self.pixels.chunks_exact(self.width.max(1)) {
            // No filter.
            rows.write_all(&[0])?;
            rows.write_all(row.as_flattened())?;
        }
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        let mut header = Vec::new();
        for length in [self.width, self.height] {
            header.extend((length as u32).to_be_bytes());
        }
        header.extend([8, 2, 0, 0, 0]);
        for (kind, data) in [(b"IHDR", header), (b"IDAT", rows.finish()?), (b"IEND", Vec::new())] {
            let mut sum = Crc::new();
            sum.update(kind);
            sum.update(&data);
            file.extend((data.len() as u32).to_be_bytes());
            file.extend(kind);
            file.extend(&data);
            file.extend(sum.sum().to_be_bytes());
        }
        Ok(file)
    }
}

/// The middle of a unit of the drawing, in pixels.
fn pixel((x, y): BackendCoord) -> [f64; 2] {
    [x, y].map(|units| SCALE * (f64::from(units) + 0.5))
}

impl DrawingBackend for &mut Raster {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Drawn {
        let [x, y] = pixel(point);
        let half = 0.5 * SCALE;
        self.cover([[x - half, y - half], [x + half, y + half]], color, |_| 1.0);
        Ok(())
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.stroke(pixel(from), pixel(to), SCALE * f64::from(style.stroke_width()), style.color());
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let mut last = None;
        for point in path {
            if let Some(last) = last.replace(point) {
                self.draw_line(last, point, style)?;
            }
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        let ([x, y], radius) = (pixel(center), SCALE * f64::from(radius));
        let half = 0.5 * SCALE * f64::from(style.stroke_width());
        let reach = radius + half + 1.0;
        self.cover([[x - reach, y - reach], [x + reach, y + reach]], style.color(), |at| {
            let distance = (at[0] - x).hypot(at[1] - y);
            let inside = if fill { radius - distance } else { half - (distance - radius).abs() };
            (inside + 0.5).min(1.0)
        });
        Ok(())
    }

    fn draw_text<T: BackendTextStyle>(&mut self, text: &str, style: &T, pos: BackendCoord) -> Drawn {
        let unit = SCALE * style.size() / glyphs::HEIGHT;
        let (width, height) = (unit * glyphs::width(text), unit * glyphs::HEIGHT);
        let left = match style.anchor().h_pos {
            HPos::Left => 0.0,
            HPos::Center => -0.5 * width,
            HPos::Right => -width,
        };
        let top = match style.anchor().v_pos {
            VPos::Top => 0.0,
            VPos::Center => -0.5 * height,
            VPos::Bottom => -height,
        };
        let origin = pixel(pos);
        // How whole units turn tells how all points do.
        let turned = |x: i32, y: i32| style.transform().transform(x, y);
        let (along, down) = (turned(1, 0), turned(0, 1));
        let place = |[x, y]: [f64; 2]| {
            let (x, y) = (left + unit * x, top + height - unit * y);
            let [ax, ay] = [along.0, along.1].map(f64::from);
            let [dx, dy] = [down.0, down.1].map(f64::from);
            [origin[0] + ax * x + dx * y, origin[1] + ay * x + dy * y]
        };
        for [from, to] in glyphs::pieces(text) {
            self.stroke(place(from), place(to), WEIGHT * SCALE * style.size(), style.color());
        }
        Ok(())
    }

    fn estimate_text_size<T: BackendTextStyle>(
        &self,
        text: &str,
        style: &T,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        let unit = style.size() / glyphs::HEIGHT;
        Ok(((unit * glyphs::width(text)).ceil() as u32, style.size().ceil() as u32))
    }
}
