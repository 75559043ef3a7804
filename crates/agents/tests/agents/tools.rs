//! Calls of tools and their results.

use loopwright_domain::AgentEvent;
use loopwright_domain::agent_event::is_clipped;

use crate::support::stream;

/// The results among what was told: the tool, the answer, and whether it was denied.
fn results(lines: &[&str]) -> Vec<(Option<String>, String, bool)> {
    let told = |event| match event {
        AgentEvent::ToolResult { tool, output, denied, .. } => Some((tool, output, denied)),
        _ => None,
    };
    stream(lines).0.into_iter().filter_map(told).collect()
}

#[test]
fn a_result_names_its_tool_in_whatever_order_they_come() {
    let told = results(&[
        r#"{"type":"tool_call","id":"a","name":"Read"}"#,
        r#"{"type":"tool_call","id":"b","name":"Write"}"#,
        r#"{"type":"tool_result","id":"b","output":"no","denied":true}"#,
        r#"{"type":"tool_result","id":"a","output":"tea"}"#,
        r#"{"type":"tool_result","id":"c","output":"whose?"}"#,
    ]);
    let expected = [(Some("Write"), "no", true), (Some("Read"), "tea", false), (None, "whose?", false)];
    assert_eq!(told, expected.map(|(tool, text, denied)| (tool.map(str::to_owned), text.to_owned(), denied)));
}

#[test]
fn what_is_cut_of_a_long_answer_is_known() {
    for (text, clipped) in
        [("x".repeat(16 * 1024), false), ("x".repeat(20_000), true), ("é".repeat(9_000), true)]
    {
        let line = serde_json::json!({ "type": "tool_result", "id": "a", "output": text }).to_string();
        let (_, output, _) = results(&[&line]).remove(0);
        assert_eq!((is_clipped(&output), output == text), (clipped, !clipped), "{}", text.len());
    }
    assert!(!is_clipped("tea…"));
}
