//! What the page may not do even if someone else's text became code in it.

use serde_json::json;

use crate::machine::Machine;
use crate::page::{id, journey};

/// Tries to run code and to reach the network in every way a text could, and tells which rules stopped it.
const ATTEMPTS: &str = r#"
const done = arguments[arguments.length - 1];
const stopped = [];
document.addEventListener("securitypolicyviolation", (event) => stopped.push(event.effectiveDirective));
const add = (html) => document.body.insertAdjacentHTML("beforeend", html);
const inline = document.createElement("script");
inline.textContent = "window.__ran = 'inline'";
document.body.append(inline);
const foreign = document.createElement("script");
foreign.src = "https://example.invalid/x.js";
document.body.append(foreign);
add("<img src='https://example.invalid/x.png'><iframe src='https://example.invalid/'></iframe>");
add("<form action='https://example.invalid/' id='form'></form>");
add("<button id='trap' onclick=\"window.__ran = 'handler'\"></button>");
document.getElementById("trap").click();
document.getElementById("form").submit();
try { new Function("window.__ran = 'function'")(); } catch { stopped.push("eval"); }
fetch("https://example.invalid/").catch(() => stopped.push("fetch"));
setTimeout(() => done({ ran: window.__ran ?? null, stopped: [...new Set(stopped)].sort() }), 500);
"#;

#[test]
fn the_content_policy_stops_foreign_code_and_foreign_addresses() {
    let machine = Machine::new();
    let project = machine.project("plain");
    journey("policy", &machine, Some(&project), async |page| {
        page.see(&id("project-name")).await;
        let outcome = page.script_answering(ATTEMPTS, vec![]).await;
        assert_eq!(outcome["ran"], json!(null));
        let stopped: Vec<&str> =
            outcome["stopped"].as_array().unwrap().iter().map(|rule| rule.as_str().unwrap()).collect();
        for rule in
            ["eval", "fetch", "connect-src", "frame-src", "img-src", "script-src-elem", "script-src-attr"]
        {
            assert!(stopped.contains(&rule), "{rule} did not stop anything: {stopped:?}");
        }
    });
}

#[test]
fn the_page_cannot_leave_the_app() {
    let machine = Machine::new();
    let project = machine.project("plain");
    journey("leaving", &machine, Some(&project), async |page| {
        page.see(&id("project-name")).await;
        for address in ["https://example.invalid/", "file:///etc/passwd", "data:text/html,<p>x</p>"] {
            page.script("window.location.href = arguments[0];", vec![json!(address)]).await;
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            page.see(&id("project-name")).await;
        }
        assert_eq!(page.script("return window.open('https://example.invalid/');", vec![]).await, json!(null));
        page.see_windows(1).await;
        assert_eq!(page.script("return typeof window.__TAURI__;", vec![]).await, "undefined");
        let frozen = "return Object.isFrozen(Object.prototype);";
        assert_eq!(page.script(frozen, vec![]).await, true);
    });
}

/// The page's own door to the shell is the permission list; a page of a project has no more than that.
#[test]
fn commands_outside_of_the_permissions_are_refused() {
    let machine = Machine::new();
    let call = r#"
        const done = arguments[arguments.length - 1];
        const [command, args] = arguments;
        window.__TAURI_INTERNALS__.invoke(command, args).then(() => done("allowed"), (error) => done(String(error)));"#;
    journey("refused", &machine, None, async |page| {
        page.see(&id("start-page")).await;
        for command in [
            "overview",
            "plugin:shell|execute",
            "plugin:shell|spawn",
            "plugin:dialog|open",
            "plugin:opener|open_path",
            "plugin:window-state|save_window_state",
            "plugin:webview|create_webview_window",
            "plugin:event|emit",
        ] {
            let answer = page.script_answering(call, vec![json!(command), json!({})]).await;
            assert!(answer.as_str().unwrap().contains("not allowed"), "{command}: {answer}");
        }
        // The isolation frame stands before the shell: it lets a command through with no arguments but its own.
        let own = page.script_answering(call, vec![json!("app_info"), json!({})]).await;
        assert_eq!(own, "allowed");
        let foreign = page.script_answering(call, vec![json!("app_info"), json!({ "other": 1 })]).await;
        assert!(foreign.as_str().unwrap().contains("refused"), "{foreign}");
    });
}
