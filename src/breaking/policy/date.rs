//! Days of the calendar.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Serialize, Serializer};

/// A day, without a time and a place: `2026-03-01`. Ordered as days are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// Seconds in a day.
const DAY: u64 = 86_400;

impl Date {
    /// The day of a TOML value, if it is a day and nothing else.
    pub fn from_toml(value: &toml::value::Datetime) -> Option<Self> {
        match (value.date, value.time, value.offset) {
            (Some(date), None, None) => {
                Some(Self { year: date.year, month: date.month, day: date.day })
            }
            _ => None,
        }
    }

    /// The day (UTC) that a number of seconds after 1970 is in.
    ///
    /// The arithmetic is that of the proleptic Gregorian calendar, with years that begin in
    /// March, so that the day that some years have more is the last one.
    pub fn from_unix_seconds(seconds: u64) -> Self {
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
        Self { year: u16::try_from(year).unwrap_or(u16::MAX), month: small(month), day: small(day) }
    }

    /// Today (UTC), or the day that the environment variable `SOURCE_DATE_EPOCH` says it is, so
    /// that a run can be repeated.
    pub fn today() -> Self {
        let chosen = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
        let now =
            || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Self::from_unix_seconds(chosen.unwrap_or_else(now))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::Date;

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
            assert_eq!(Date::from_unix_seconds(seconds).to_string(), date);
        }
    }

    #[test]
    fn only_a_day_is_a_day() {
        let date =
            |text: &str| Date::from_toml(&text.parse().unwrap()).map(|date| date.to_string());
        assert_eq!(date("2027-03-01").as_deref(), Some("2027-03-01"));
        assert_eq!(date("2027-03-01T00:00:00Z"), None);
        assert_eq!(date("07:32:00"), None);
    }
}
