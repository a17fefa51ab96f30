//! What an observer of the pivoting solver sees.

/// Why a row changed its set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The driven row reached zero acceleration and entered C.
    Solved,
    /// The driven row reached its own other bound and stays there.
    OwnBound,
    /// A clamped row reached a bound and left C, so that the drive can go on.
    Blocked,
    /// The driven row was already acceptable.
    Acceptable,
    /// The driven row is a combination of the clamped rows and is put off.
    Deferred,
    /// The starting set named it.
    Start,
    /// The driven row proves that there is no solution.
    Ray,
}

/// One pivot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pivot {
    /// The row that changed its set.
    pub row: usize,
    /// Why.
    pub reason: Reason,
    /// Length of the step, in the unit of force.
    pub step: f64,
    /// Size of C after it.
    pub clamped: usize,
    /// Number of deferred rows after it.
    pub redundant: usize,
    /// Number of rows at a bound or untreated after it.
    pub others: usize,
}

/// Receives each pivot.
pub trait Trace {
    /// Called after each pivot.
    fn pivot(&mut self, pivot: &Pivot);
}

/// Collects the pivots.
impl Trace for Vec<Pivot> {
    fn pivot(&mut self, pivot: &Pivot) {
        self.push(*pivot);
    }
}
