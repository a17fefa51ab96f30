//! Motions as regression tests: a text that can be committed, and what differs from it.
//!
//! [`MotionRecord::of`] runs a scene, [`MotionRecord::to_text`] writes what is committed, [`compare`] finds the first
//! difference, [`write_overlay`] draws both motions on one page. [`check`] does all but the page.

mod compare;
mod motion;
mod page;
mod text;

pub use compare::{Difference, compare};
pub use motion::{MotionRecord, Sample, Told};
pub use page::write_overlay;
pub use text::{TextError, reason};

use engine2d_scene::Scene;

/// Why a scene was not found to move as its text says.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The text is not one that [`MotionRecord::to_text`] wrote.
    #[error("the snapshot cannot be read: {0}")]
    Text(#[from] TextError),
    /// The scene is not usable.
    #[error(transparent)]
    Scene(#[from] engine2d_scene::SceneError),
    /// It moves otherwise.
    #[error("{difference}")]
    Different {
        /// The first difference.
        difference: Box<Difference>,
        /// What the text says.
        expected: Box<MotionRecord>,
        /// How the scene moves.
        found: Box<MotionRecord>,
    },
}

/// Runs `scene` as long as the committed `text` does, or until the simulated time `horizon` if that is less, and compares: to the
/// bit where `tolerance` is 0, else values within `tolerance · (1 + |value|)`.
///
/// ```
/// use engine2d_record::regression::{MotionRecord, check};
/// use engine2d_scene::Scene;
///
/// let scene = Scene::built_in("ball_on_floor").expect("a built-in scene");
/// let committed = MotionRecord::of(&scene, Some(1.0))?.to_text("ball_on_floor", "the first one");
/// check(&scene, &committed, 0.0, None)?;
/// let mut other = scene.clone();
/// let ball = other.bodies.iter_mut().find(|body| body.name.as_deref() == Some("ball"));
/// ball.expect("a ball").velocity[0] += 1e-9;
/// let told = check(&other, &committed, 0.0, None).unwrap_err().to_string();
/// assert!(told.starts_with("at t = 0, body \"ball\", vx: expected 0"), "{told}");
/// check(&other, &committed, 1e-6, None)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`CheckError`].
pub fn check(scene: &Scene, text: &str, tolerance: f64, horizon: Option<f64>) -> Result<(), CheckError> {
    let expected = MotionRecord::from_text(text)?;
    let until = horizon.map_or(expected.until, |horizon| horizon.min(expected.until));
    let found = MotionRecord::sampled(scene, until, expected.interval)?;
    match compare(&expected, &found, tolerance) {
        None => Ok(()),
        Some(difference) => Err(CheckError::Different {
            difference: Box::new(difference),
            expected: Box::new(expected),
            found: Box::new(found),
        }),
    }
}
