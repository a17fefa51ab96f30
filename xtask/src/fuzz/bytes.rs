//! Choices from bytes: every input is some choice.

/// Bytes that are used up one by one; zeros follow.
pub(super) struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub(super) fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn byte(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((first, rest)) => {
                self.rest = rest;
                *first
            }
            None => 0,
        }
    }

    /// A number below `n`, which is not 0.
    pub(super) fn below(&mut self, n: usize) -> usize {
        usize::from(u16::from_le_bytes([self.byte(), self.byte()])) % n
    }

    /// A number from `low` to `high`; now and then one of the ends exactly.
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        let part = f64::from(u16::from_le_bytes([self.byte(), self.byte()])) / f64::from(u16::MAX);
        low + (high - low) * part
    }
}
