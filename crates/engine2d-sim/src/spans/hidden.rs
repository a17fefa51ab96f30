//! The spans where nobody asks for them: names without anything behind.

/// A span that nobody sees.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span;

/// The time within a span.
pub(crate) struct Inside;

impl Drop for Inside {
    fn drop(&mut self) {}
}

impl Span {
    pub(crate) fn is_disabled(self) -> bool {
        true
    }

    pub(crate) fn enter(self) -> Inside {
        Inside
    }

    pub(crate) fn in_scope<T>(self, work: impl FnOnce() -> T) -> T {
        work()
    }

    pub(crate) fn record<V>(&self, _field: &'static str, _value: V) -> &Self {
        self
    }
}

pub(crate) fn step(_time: f64, _length: f64, _bodies: usize) -> Span {
    Span
}

pub(crate) fn stage(_name: &'static str) -> Span {
    Span
}

pub(crate) fn island(_what: &'static str, _time: f64, _rows: usize) -> Span {
    Span
}

pub(crate) fn solve(_what: &'static str, _time: f64, _rows: usize) -> Span {
    Span
}

pub(crate) fn impact(_time: f64, _rows: usize) -> Span {
    Span
}

pub(crate) fn begin(_span: &Span) {}

pub(crate) fn end(_span: &Span) {}
