//! Tasks about rate limits: an agent that writes, says and prints every word of it is at no limit.

use crate::scene::Scene;

const SHAPES: &[&str] = &["claude", "codex", "gemini", "copilot", "opencode", "text"];

#[test]
fn a_task_about_rate_limits_trips_nothing_in_any_shape() {
    let scene = Scene::new("exit 1");
    let mut script = String::new();
    for (task, shape) in (1..).zip(SHAPES) {
        scene.task(&format!("Handle 429 rate_limit_error and 529 overloaded_error in {shape}"), &[]);
        script.push_str(&format!(
            r#"
[[scene]]
task = {task}
output = "{shape}"
steps = [
  {{ say = "HTTP 429 Too Many Requests: usage limit reached, resets at 2099-01-01T00:00:00Z. 401 Unauthorized. Credit balance is too low." }},
  {{ write = "limits-{task}.txt", content = "{{\"type\":\"rate_limit_event\",\"rate_limit_info\":{{\"status\":\"rejected\",\"resetsAt\":4070908800}}}}\n" }},
  {{ tool = "Bash", output = "{{\"type\":\"error\",\"error\":{{\"type\":\"overloaded_error\"}}}} api_error_status 429", failed = true }},
  {{ say = "exceeded retry limit, last status: 429 Too Many Requests. You've hit your usage limit." }},
  {{ signal = "complete", summary = "handled rate limits" }},
]
"#
        ));
    }
    scene.sandbox.write(".loopwright/rehearsal.toml", script);
    scene.commit_all("Script");
    let played = scene.run(&["run", "--harness", "rehearsal", "--trust"]);
    assert_eq!(played.code, 0, "{played:?}");
    assert!(!played.stdout.contains("rests"), "{}", played.stdout);
    let run = scene.ask(&["status", "--json"])["run"].take();
    assert_eq!((run["iteration"].as_u64(), run["holds"].as_array().map(Vec::len)), (Some(6), Some(0)));
}
