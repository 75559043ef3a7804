//! Numbers that agents tell again and again.

use loopwright_domain::Usage;

use crate::support::stream;

#[test]
fn claudes_usage_per_block_is_counted_by_message_when_there_is_no_sum() {
    let block = |text: &str| {
        format!(
            r#"{{"type":"assistant","message":{{"id":"m1","content":[{{"type":"text","text":"{text}"}}],"usage":{{"input_tokens":1200,"cache_read_input_tokens":1000,"output_tokens":1}}}}}}"#
        )
    };
    let (_, parsed) = stream(&[&block("a"), &block("b")]);
    let expected = Usage { input: 1200, cache_read: 1000, output: 1, ..Usage::default() };
    assert_eq!((parsed.usage, parsed.own_text.as_str()), (expected, "a\nb"));
}

#[test]
fn codex_counts_the_whole_thread_each_time() {
    let turn = |input: u64| {
        format!(
            r#"{{"type":"turn.completed","usage":{{"input_tokens":{input},"cached_input_tokens":600,"output_tokens":10}}}}"#
        )
    };
    let (_, parsed) = stream(&[&turn(6600), &turn(8800)]);
    assert_eq!(parsed.usage, Usage { input: 8200, cache_read: 600, output: 10, ..Usage::default() });
}

#[test]
fn opencodes_steps_are_added_up() {
    let step = |id: u32| {
        format!(
            r#"{{"type":"step_finish","sessionID":"s","part":{{"id":"p{id}","reason":"tool-calls","tokens":{{"input":12,"output":8,"reasoning":0,"cache":{{"write":0,"read":10}}}},"cost":0.0048}}}}"#
        )
    };
    let (_, parsed) = stream(&[&step(1), &step(2), &step(2), &step(3)]);
    assert_eq!(parsed.usage.cost_micros, Some(14_400));
    assert_eq!((parsed.usage.tokens(), parsed.session.as_deref()), (90, Some("s")));
}

#[test]
fn turns_session_and_model_are_known() {
    let (_, parsed) = stream(&[
        r#"{"type":"system","subtype":"init","session_id":"s1","model":"sonnet"}"#,
        r#"{"type":"result","subtype":"success","is_error":false,"result":"x","session_id":"s1","num_turns":3}"#,
    ]);
    assert_eq!(
        (parsed.session.as_deref(), parsed.model.as_deref(), parsed.turns),
        (Some("s1"), Some("sonnet"), Some(3))
    );
}

#[test]
fn answers_are_counted_where_each_is_told_and_no_price_is_made_of_nothing() {
    let step = |id: &str, reason: &str| {
        format!(
            r#"{{"type":"step_finish","sessionID":"s","part":{{"id":"{id}","reason":"{reason}","tokens":{{"input":5,"output":2}},"cost":0}}}}"#
        )
    };
    let (_, opencode) = stream(&[&step("a", "tool-calls"), &step("b", "stop")]);
    assert_eq!((opencode.turns, opencode.usage.input, opencode.usage.cost_micros), (Some(2), 10, None));
    let turn = |reason: &str| format!(r#"{{"type":"turn_end","message":{{"stopReason":"{reason}"}}}}"#);
    assert_eq!(stream(&[&turn("toolUse"), &turn("stop")]).1.turns, Some(2));
    let codex = r#"{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}"#;
    assert_eq!(stream(&[codex]).1.turns, None, "its turns are not the model's answers");
}
