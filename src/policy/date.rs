//! Days of the calendar.

use std::time::{SystemTime, UNIX_EPOCH};

pub use toml::value::Date;

/// Seconds in a day.
const DAY: u64 = 86_400;

/// The day (UTC) that a number of seconds after 1970 is in.
///
/// The arithmetic is that of the proleptic Gregorian calendar, with years that begin in March, so
/// that the day that some years have more is the last one.
pub fn day_of(seconds: u64) -> Date {
    const DAYS_FROM_MARCH_OF_YEAR_0: u64 = 719_468;
    const DAYS_IN_400_YEARS: u64 = 146_097;
    let days = seconds / DAY + DAYS_FROM_MARCH_OF_YEAR_0;
    let (era, day) = (days / DAYS_IN_400_YEARS, days % DAYS_IN_400_YEARS);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let small = |number: u64| u8::try_from(number).unwrap_or(u8::MAX);
    Date { year: u16::try_from(year).unwrap_or(u16::MAX), month: small(month), day: small(day) }
}

/// Today (UTC), or the day that the environment variable `SOURCE_DATE_EPOCH` says it is, so that a
/// run can be repeated.
pub fn today() -> Date {
    day_of(now())
}

/// The day that many days after [`today`].
pub fn day_in(days: u64) -> Date {
    day_of(now().saturating_add(days.saturating_mul(DAY)))
}

/// Seconds after 1970.
fn now() -> u64 {
    let chosen = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    chosen.unwrap_or_else(clock)
}

#[cfg(test)]
mod tests {
    use super::day_of;

    #[test]
    fn seconds_are_days() {
        for (seconds, date) in [
            (0, "1970-01-01"),
            (86_399, "1970-01-01"),
            (86_400, "1970-01-02"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_709_164_800, "2024-02-29"),
            (1_735_689_599, "2024-12-31"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(day_of(seconds).to_string(), date);
        }
    }
}
