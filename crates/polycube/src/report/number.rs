//! Numbers for people.

pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1,234,567 states`, `1 state`
pub(crate) fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// `2.1 million states/s`, where `what` is `states`
pub(crate) fn rate(number: u64, what: &str, seconds: f64) -> String {
    let rate = number as f64 / seconds.max(1e-6);
    if rate >= 1e6 {
        format!("{:.1} million {what}/s", rate / 1e6)
    } else {
        format!("{} {what}/s", grouped(rate as u64))
    }
}

/// `18.3 MB`
pub(crate) fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        1_000_000_000..1_000_000_000_000 => format!("{:.2} GB", bytes as f64 / 1e9),
        _ => format!("{:.2} TB", bytes as f64 / 1e12),
    }
}

/// `0.03 s`, `4.1 s`, `135 s`
pub(crate) fn seconds(seconds: f64) -> String {
    if seconds < 1.0 {
        format!("{seconds:.2} s")
    } else if seconds < 100.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{seconds:.0} s")
    }
}
