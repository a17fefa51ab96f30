//! Which rows blocked with a step of length zero, and when that is forgotten.

/// When zero steps of a drive are forgotten. A row that makes two of them in the meantime is flip-flopping between its sets
/// and is put off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ZeroSteps {
    /// When a new drive starts: the recorded engine.
    #[default]
    NewDrive,
    /// With each step that is not zero as well: the original description of the method. A row that blocks again after progress
    /// was made is not flip-flopping.
    ProperStep,
}

/// The zero steps of the current drive.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    pub(super) rule: ZeroSteps,
    seen: Vec<bool>,
}

impl Record {
    /// Starts a drive of a problem with `n` rows.
    pub(super) fn start(&mut self, n: usize) {
        self.seen.clear();
        self.seen.resize(n, false);
    }

    /// Notes a step that `row` blocked; whether it was the row's second zero step.
    pub(super) fn step(&mut self, row: usize, zero: bool) -> bool {
        if !zero {
            if self.rule == ZeroSteps::ProperStep {
                self.seen.fill(false);
            }
            return false;
        }
        std::mem::replace(&mut self.seen[row], true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proper_step_between_two_zero_steps_counts_by_one_rule_only() {
        for (rule, puts_off) in [(ZeroSteps::NewDrive, true), (ZeroSteps::ProperStep, false)] {
            let mut record = Record { rule, ..Record::default() };
            record.start(3);
            assert!(!record.step(1, true));
            assert!(!record.step(2, false));
            assert_eq!(record.step(1, true), puts_off, "{rule:?}");
            assert!(record.step(1, true), "two in a row put off by both rules");
            record.start(3);
            assert!(!record.step(1, true), "a new drive forgets");
        }
    }
}
