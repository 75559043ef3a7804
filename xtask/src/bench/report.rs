//! The table of a measurement, with a verdict for every figure that has a target.

use std::fmt::Write as _;
use std::time::Duration;

/// One figure.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    pub(super) name: String,
    /// Nothing when it could not be measured; `note` then says why.
    pub(super) value: Option<f64>,
    pub(super) unit: &'static str,
    /// The most it may be.
    pub(super) at_most: Option<f64>,
    pub(super) note: String,
}

impl Figure {
    pub(super) fn time(name: &str, took: Duration) -> Self {
        let value = Some(took.as_secs_f64() * 1000.0);
        Self { name: name.to_owned(), value, unit: "ms", at_most: None, note: String::new() }
    }

    pub(super) fn ratio(name: &str, took: Duration, against: Duration) -> Self {
        let value = (!against.is_zero()).then(|| took.as_secs_f64() / against.as_secs_f64());
        Self { name: name.to_owned(), value, unit: "x", at_most: None, note: String::new() }
    }

    pub(super) fn number(name: &str, value: f64, unit: &'static str) -> Self {
        Self { name: name.to_owned(), value: Some(value), unit, at_most: None, note: String::new() }
    }

    pub(super) fn not_measured(name: &str, why: &str) -> Self {
        Self { name: name.to_owned(), value: None, unit: "", at_most: None, note: why.to_owned() }
    }

    pub(super) fn at_most(self, limit: f64) -> Self {
        Self { at_most: Some(limit), ..self }
    }

    pub(super) fn note(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    fn verdict(&self) -> &'static str {
        match (self.value, self.at_most) {
            (None, _) => "not measured",
            (Some(_), None) => "",
            (Some(value), Some(limit)) if value <= limit => "met",
            (Some(_), Some(_)) => "MISSED",
        }
    }

    fn shown(&self, number: Option<f64>) -> String {
        number.map_or_else(
            || "-".to_owned(),
            |number| format!("{number:.2} {}", self.unit).trim_end().to_owned(),
        )
    }
}

/// Every figure of one run.
#[derive(Debug, Default)]
pub(super) struct Report(Vec<Figure>);

impl Report {
    pub(super) fn add(&mut self, figure: Figure) {
        self.0.push(figure);
    }

    /// How many figures are worse than their target.
    pub(super) fn missed(&self) -> usize {
        self.0.iter().filter(|figure| figure.verdict() == "MISSED").count()
    }

    pub(super) fn table(&self) -> String {
        let width = self.0.iter().map(|figure| figure.name.chars().count()).max().unwrap_or(0);
        let mut table = format!("{:width$}  {:>11}  {:>11}  verdict\n", "what", "measured", "at most");
        for figure in &self.0 {
            let (value, limit) = (figure.shown(figure.value), figure.shown(figure.at_most));
            let said = [figure.verdict(), &figure.note].map(str::to_owned);
            let said = said.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(": ");
            table.push_str(format!("{:width$}  {value:>11}  {limit:>11}  {said}", figure.name).trim_end());
            table.push('\n');
        }
        table
    }

    pub(super) fn json(&self) -> String {
        let mut json = String::from("{\"figures\":[");
        for (index, figure) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let (value, limit) = (number(figure.value), number(figure.at_most));
            let (name, unit) = (text(&figure.name), text(figure.unit));
            let (verdict, note) = (text(figure.verdict()), text(&figure.note));
            // Writing to a String cannot fail.
            let _written = write!(
                json,
                "{comma}{{\"name\":{name},\"value\":{value},\"unit\":{unit},\"at_most\":{limit},\"verdict\":{verdict},\"note\":{note}}}"
            );
        }
        json.push_str("]}\n");
        json
    }
}

fn number(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or_else(|| "null".to_owned(), |value| format!("{value:.4}"))
}

fn text(value: &str) -> String {
    let mut quoted = String::from("\"");
    for character in value.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            control if control.is_control() => quoted.push(' '),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let (two, four) = (Duration::from_millis(2), Duration::from_millis(4));
        let mut report = Report::default();
        report.add(Figure::time("start", two));
        report.add(Figure::ratio("start against a", two, four).at_most(0.8));
        report.add(Figure::ratio("start against b", four, two).at_most(0.8));
        report.add(Figure::not_measured("start against \"c\"", "c is not on PATH"));
        report
    }

    #[test]
    fn verdicts_follow_the_targets() {
        let report = report();
        assert_eq!(report.missed(), 1);
        let table = report.table();
        let verdict = |name: &str| table.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
        assert!(verdict("start against a").ends_with("met"));
        assert!(verdict("start against b").ends_with("MISSED"));
        assert!(verdict("start against \"c\"").ends_with("not measured: c is not on PATH"));
    }

    #[test]
    fn json_holds_numbers_and_quotes_text() {
        let json = report().json();
        assert!(json.contains(
            r#"{"name":"start","value":2.0000,"unit":"ms","at_most":null,"verdict":"","note":""}"#
        ));
        assert!(json.contains(r#""name":"start against \"c\"","value":null"#));
    }
}
