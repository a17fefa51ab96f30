//! Tables of measurements in the README of a crate, between comments that name them, with the day they were made.

use crate::{TaskError, workspace};
use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds of a day.
const DAY: u64 = 86_400;

/// Replaces what is between `<!-- name -->` and `<!-- /name -->` in the README of a crate by the lines of a table and their date.
pub(crate) fn replace(package: &str, name: &str, table: &[String]) -> Result<(), TaskError> {
    let path = workspace().join("crates").join(package).join("README.md");
    let text = std::fs::read_to_string(&path)?;
    let text = replaced(&text, name, &today(), table).ok_or_else(|| format!("{name}: no such table"))?;
    Ok(std::fs::write(path, text)?)
}

fn replaced(text: &str, name: &str, date: &str, table: &[String]) -> Option<String> {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let (before, rest) = text.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    let table = table.join("\n");
    Some(format!("{before}{begin}Made by `cargo xtask {name} --readme` on {date}.\n\n{table}\n{end}{after}"))
}

/// The day in Greenwich, as year, month and day.
fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let [year, month, day] = date(seconds / DAY);
    format!("{year}-{month:02}-{day:02}")
}

/// Year, month and day so many days after 1 January 1970: years begin in March, so that the day of leap years comes last.
fn date(days: u64) -> [u64; 3] {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (number, day) = (if month < 10 { month + 3 } else { month - 9 }, day - (153 * month + 2) / 5 + 1);
    [400 * era + year + u64::from(number <= 2), number, day]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        for (days, expected) in
            [(0, [1970, 1, 1]), (11_016, [2000, 2, 29]), (11_017, [2000, 3, 1]), (20_819, [2027, 1, 1])]
        {
            assert_eq!(date(days), expected, "{days}");
        }
    }

    #[test]
    fn a_table_is_replaced_between_its_comments() {
        let text = "a\n<!-- t -->\nold\n<!-- /t -->\nb\n";
        let new = replaced(text, "t", "2000-01-02", &["| x |".to_owned()]).unwrap();
        assert_eq!(
            new,
            "a\n<!-- t -->\nMade by `cargo xtask t --readme` on 2000-01-02.\n\n| x |\n<!-- /t -->\nb\n"
        );
        assert!(replaced(text, "other", "2000-01-02", &[]).is_none());
    }
}
