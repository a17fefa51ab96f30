//! A problem with its matrix worked out, as the dense methods see it.

/// A dense symmetric problem with bounds, as the kernel sees it.
#[derive(Clone, Copy)]
pub(crate) struct Dense<'p> {
    pub(crate) a: &'p [f64],
    pub(crate) b: &'p [f64],
}

impl<'p> Dense<'p> {
    #[inline]
    pub(crate) fn row(&self, i: usize) -> &'p [f64] {
        let n = self.b.len();
        &self.a[i * n..(i + 1) * n]
    }

    #[inline]
    pub(crate) fn diagonal(&self, i: usize) -> f64 {
        self.a[i * self.b.len() + i]
    }
}
