//! Loops compiled for several widths of vectors, chosen when they run.
//!
//! What they compute is written as plain operations on `f64`, one partial sum for each lane that may be: wider vectors fuse nothing
//! and reorder nothing, so the bits are those of the narrow ones.

/// Loops to be compiled for each width.
///
/// [`Loops::run`] and what it calls in its loops must be `#[inline(always)]`: what is not put in line stays narrow.
pub(crate) trait Loops {
    /// What comes of them.
    type Output;

    /// Runs them.
    fn run(self) -> Self::Output;
}

struct Wide<L>(L);

impl<L: Loops> pulp::WithSimd for Wide<L> {
    type Output = L::Output;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> L::Output {
        self.0.run()
    }
}

/// Runs loops with the widest vectors that the processor at hand has.
#[inline]
pub(crate) fn widest<L: Loops>(loops: L) -> L::Output {
    pulp::Arch::new().dispatch(Wide(loops))
}
