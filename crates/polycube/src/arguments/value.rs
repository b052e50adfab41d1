//! Values on the command line: reading them, and saying what was expected.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use polycube_engine::compile::domain::Bounds;

/// `LO..HI`: the integers from LO to HI, both included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval(pub RangeInclusive<i64>);

impl FromStr for Interval {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected LO..HI, for example 0..3 or -2..2".to_owned();
        let (low, high) = text.split_once("..").ok_or_else(expected)?;
        let high = high.strip_prefix('=').unwrap_or(high);
        let bound = |text: &str| text.trim().parse::<i64>().map_err(|_| expected());
        let (low, high) = (bound(low)?, bound(high)?);
        if low > high {
            return Err(format!("no number is between {low} and {high}"));
        }
        if high.abs_diff(low) >= Bounds::MAX_RANGE {
            return Err(format!(
                "that is {} numbers; at most {} are tried",
                u128::from(high.abs_diff(low)) + 1,
                Bounds::MAX_RANGE
            ));
        }
        Ok(Interval(low..=high))
    }
}

/// A number of bytes: `1000000`, `500M`, `8GiB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub usize);

impl FromStr for Size {
    type Err = String;

    /// K, M, G and T are powers of 1000, as in the reports: what was typed is what is shown.
    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || "expected a number of bytes, for example 500M or 8G".to_owned();
        let (digits, unit) = text.split_at(text.find(char::is_alphabetic).unwrap_or(text.len()));
        let unit: f64 = match unit.to_ascii_lowercase().as_str() {
            "" | "b" => 1.0,
            "k" | "kb" => 1e3,
            "m" | "mb" => 1e6,
            "g" | "gb" => 1e9,
            "t" | "tb" => 1e12,
            "kib" => (1u64 << 10) as f64,
            "mib" => (1u64 << 20) as f64,
            "gib" => (1u64 << 30) as f64,
            "tib" => (1u64 << 40) as f64,
            _ => return Err(expected()),
        };
        let bytes = digits.parse::<f64>().map_err(|_| expected())? * unit;
        if (0.0..usize::MAX as f64).contains(&bytes) {
            Ok(Size(bytes.round() as usize))
        } else {
            Err(expected())
        }
    }
}

/// Reads a whole number in a range, and says what was expected where it is none.
pub(super) fn number<T: FromStr + PartialOrd + Clone>(
    range: RangeInclusive<T>,
    expected: &'static str,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected {expected}"))
    }
}

/// Reads how long something may take. Not 0, which elsewhere often means that there is no limit.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let seconds = seconds.filter(|seconds| !seconds.is_zero());
    seconds.ok_or_else(|| "expected a positive number of seconds, for example 90 or 0.5".to_owned())
}

/// Reads how much time is between two things, which may be none.
pub(super) fn seconds_or_none(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "expected a number of seconds, 0 or more, for example 90 or 0.5".to_owned())
}

/// Where a graph is drawn, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphFile {
    /// The file.
    pub path: PathBuf,
    /// What its ending says.
    pub format: GraphFormat,
}

/// How a graph is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphFormat {
    /// As a text for Graphviz.
    Dot,
    /// As a picture, by Graphviz.
    Svg,
    /// As a page for browsers.
    Html,
}

impl GraphFile {
    /// A text or a picture.
    pub(super) fn new(path: PathBuf) -> Result<GraphFile, String> {
        match GraphFile::or_page(path) {
            Ok(file) if file.format != GraphFormat::Html => Ok(file),
            _ => Err("expected a file name that ends in .dot or .svg".to_owned()),
        }
    }

    /// A text, a picture or a page.
    pub(super) fn or_page(path: PathBuf) -> Result<GraphFile, String> {
        let ending = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
        let format = match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("dot") => GraphFormat::Dot,
            Some("svg") => GraphFormat::Svg,
            Some("html") => GraphFormat::Html,
            _ => return Err("expected a file name that ends in .html, .svg or .dot".to_owned()),
        };
        Ok(GraphFile { path, format })
    }
}
