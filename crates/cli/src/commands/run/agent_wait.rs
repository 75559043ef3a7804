//! Agents that rest, and what a run waits for: with the time of the wall and how long that is from now.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use loopwright_domain::limit::why;
use loopwright_domain::{Hold, WaitReason};
use loopwright_engine::run::report::elapsed;

use crate::output::plain;

/// One line for each agent that rests now.
pub(super) fn lines(holds: &[Hold], now: Timestamp, zone: &TimeZone) -> Vec<String> {
    let line = |hold: &Hold| {
        let when = match &hold.until {
            Some(until) => format!("rests until {}", time(until, now, zone)?),
            None => "rests until you have seen to it".to_owned(),
        };
        let said =
            if hold.message.is_empty() { String::new() } else { format!(": {}", plain(&hold.message)) };
        Some(format!("{} {when}, {}{said}", plain(&hold.agent), why(hold.kind)))
    };
    holds.iter().filter_map(line).collect()
}

/// Until when a run waits for an agent; none where it does not.
pub(super) fn waits_until(
    waiting: Option<WaitReason>,
    holds: &[Hold],
    now: Timestamp,
    zone: &TimeZone,
) -> Option<String> {
    let first = holds.first().filter(|_| waiting == Some(WaitReason::Limit))?;
    time(first.until.as_deref()?, now, zone)
}

/// A time to come, as the clock on the wall shows it, with how long that is; none when it is over.
fn time(until: &str, now: Timestamp, zone: &TimeZone) -> Option<String> {
    let until: Timestamp = until.parse().ok().filter(|until| *until > now)?;
    let (there, here) = (until.to_zoned(zone.clone()), now.to_zoned(zone.clone()));
    let format = if there.date() == here.date() { "%H:%M" } else { "%Y-%m-%d %H:%M" };
    let left = u64::try_from(until.duration_since(now).as_millis()).unwrap_or(0);
    Some(format!("{} (in {})", there.strftime(format), elapsed(left)))
}

#[cfg(test)]
mod tests {
    use loopwright_domain::ProblemKind;

    use super::*;

    #[test]
    fn a_rest_is_told_in_local_time_and_only_while_it_lasts() {
        let now: Timestamp = "2026-11-16T18:00:00Z".parse().unwrap();
        let zone = TimeZone::fixed(jiff::tz::offset(2));
        let hold = |until: Option<&str>| Hold {
            agent: "claude".into(),
            kind: ProblemKind::UsageLimit,
            code: None,
            message: "five hours are used".into(),
            since: String::new(),
            until: until.map(str::to_owned),
            tries: 0,
        };
        let told = |until: Option<&str>| lines(&[hold(until)], now, &zone).join("");
        assert_eq!(
            told(Some("2026-11-16T19:30:00Z")),
            "claude rests until 21:30 (in 1h30m), its account is used up for now: five hours are used"
        );
        assert!(told(Some("2026-11-17T19:30:00Z")).contains("2026-11-17 21:30 (in 25h30m)"));
        assert_eq!(told(Some("2026-11-16T18:00:00Z")), "");
        assert!(told(None).contains("until you have seen to it"));
        let held = [hold(Some("2026-11-16T18:02:00Z"))];
        let until = |waiting| waits_until(waiting, &held, now, &zone);
        assert_eq!(until(Some(WaitReason::Limit)).as_deref(), Some("20:02 (in 2m00s)"));
        assert_eq!(until(None), None);
    }
}
