//! Figures as people write them.

use crate::usage::Usage;

/// A length of time as people say it: `45.2s`, `2m16s`, `3h05m`.
#[must_use]
pub fn elapsed(milliseconds: u64) -> String {
    let tenths = milliseconds.saturating_add(50) / 100;
    let seconds = milliseconds.saturating_add(500) / 1000;
    match seconds {
        _ if tenths < 600 => format!("{}.{}s", tenths / 10, tenths % 10),
        0..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h{:02}m", seconds / 3600, seconds % 3600 / 60),
    }
}

/// Money as people write it: to the cent, and below a cent to its hundredth.
#[must_use]
pub fn money(micros: u64) -> String {
    if (1..9_950).contains(&micros) {
        return format!("$0.{:04}", (micros + 50) / 100);
    }
    let cents = micros.saturating_add(5_000) / 10_000;
    format!("${}.{:02}", cents / 100, cents % 100)
}

/// Money as people write it, with a word about it where it is estimated.
#[must_use]
pub fn cost(usage: &Usage) -> Option<String> {
    let about = if usage.estimated { "about " } else { "" };
    usage.cost_micros.map(|cost| format!("{about}{}", money(cost)))
}

/// A number with commas between thousands.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_money_read_as_people_write_them() {
        let cases = [
            (0, "0.0s"),
            (45_240, "45.2s"),
            (59_949, "59.9s"),
            (59_960, "1m00s"),
            (136_000, "2m16s"),
            (11_100_000, "3h05m"),
        ];
        for (ms, text) in cases {
            assert_eq!(elapsed(ms), text);
        }
        assert_eq!(money(25_000_000), "$25.00");
        assert_eq!((money(0), money(4_249), money(49)), ("$0.00".into(), "$0.0042".into(), "$0.0000".into()));
        assert_eq!(
            (money(9_949), money(9_950), money(14_999)),
            ("$0.0099".into(), "$0.01".into(), "$0.01".into())
        );
        assert_eq!(
            (grouped(4_230), grouped(100_000), grouped(7)),
            ("4,230".into(), "100,000".into(), "7".into())
        );
    }
}
