//! Figures of the output in the real window, for `cargo xtask bench ui`. They are measured and not tested: machines are
//! noisy.

use std::time::Duration;

use serde_json::{Value, json};

use crate::page::{Page, id, journey};
use crate::scripted_project::{ScriptedProject, start};

/// The file the figures go to; without it they are printed.
const FIGURES_FILE: &str = "LOOPWRIGHT_UI_FIGURES";

/// For how long frames are counted while nothing is printed.
const QUIET: Duration = Duration::from_secs(3);

/// Changes one word in a corner of the page ten times a second: what this machine takes to draw next to nothing.
const COUNT: &str = "const word = document.createElement('div'); document.body.append(word); let count = 0;\
    word.style.cssText = 'position: fixed; right: 0; bottom: 0; z-index: 99';\
    const timer = setInterval(() => (word.textContent = `${count++}`), 100);\
    window.stopCounting = () => { clearInterval(timer); word.remove(); };";
const STOP_COUNTING: &str = "window.stopCounting();";

/// For how long frames are counted while much is printed: a little less than it goes on.
const FLOODED: Duration = Duration::from_secs(5);

/// Prints the time it prints at, then 60,000 lines, 10,000 or more a second where the machine keeps up, and notes how
/// many milliseconds that took.
const AGENT: &str = r#"
echo ready
wait_for ticks
i=0
while [ $i -lt 40 ]; do echo "tick $(date +%s%3N)"; i=$((i + 1)); sleep 0.15; done
echo 'no more ticks'
wait_for flood
began=$(date +%s%3N)
awk 'BEGIN { for (b = 0; b < 120; b++) { for (i = 0; i < 500; i++) print "line " b * 500 + i " of a flood that goes on"
  fflush(); system("sleep 0.04") } }'
echo $(($(date +%s%3N) - began)) >"$BENCH/took"
echo 'no more flood'
wait_for end
"#;

/// Notes for each tick how old it is when a frame with it is drawn.
const WATCH_TICKS: &str = "window.ticks = new Map(); const look = () => {\
    for (const entry of document.querySelectorAll('[data-testid=output-entry]')) {\
      for (const found of entry.innerText.matchAll(/tick (\\d+)/g)) {\
        if (!window.ticks.has(found[1])) window.ticks.set(found[1], Date.now() - Number(found[1])); } }\
    window.watching = requestAnimationFrame(look); }; look();";
const TICKS: &str = "cancelAnimationFrame(window.watching); return [...window.ticks.values()];";

/// Notes how far apart frames are, and how many nodes the page has. A frame is a call of the page's own before it is
/// drawn: the gap to the next holds the page's work, its layout, and its painting where WebKit paints without layers.
/// What the display takes to show it is not in it.
const WATCH_FRAMES: &str = "window.gaps = []; window.nodes = 0; let before = performance.now(); const frame = (now) => {\
    window.gaps.push(now - before); before = now;\
    if (window.gaps.length % 20 === 0) window.nodes = Math.max(window.nodes, document.querySelectorAll('*').length);\
    window.watching = requestAnimationFrame(frame); }; requestAnimationFrame(frame);";
const FRAMES: &str =
    "cancelAnimationFrame(window.watching); return { gaps: window.gaps, nodes: window.nodes };";

#[test]
#[ignore = "a measurement: cargo xtask bench ui"]
fn the_output_in_a_real_window() {
    let scripted = ScriptedProject::new(AGENT);
    let mut figures = Value::Null;
    journey("measure", &scripted.machine, Some(&scripted.project), async |page| {
        start(page, "Print.").await;
        page.see_text(&id("output-entry"), "ready").await;
        page.script(WATCH_TICKS, vec![]).await;
        scripted.allow("ticks");
        page.see_text(&id("output-entry"), "no more ticks").await;
        let ticks = numbers(&page.script(TICKS, vec![]).await);
        let quiet = gaps_for(page, QUIET).await;
        page.script(COUNT, vec![]).await;
        let counting = gaps_for(page, QUIET).await;
        page.script(STOP_COUNTING, vec![]).await;
        page.script(WATCH_FRAMES, vec![]).await;
        scripted.allow("flood");
        // Whoever looks at the page meanwhile holds its frames up.
        tokio::time::sleep(FLOODED).await;
        let frames = page.script(FRAMES, vec![]).await;
        page.see_text(&id("output-entry"), "no more flood").await;
        let gaps = numbers(&frames["gaps"]);
        figures = json!({
            "quiet_gap_p50_ms": quantile(&quiet, 50), "quiet_gap_p95_ms": quantile(&quiet, 95),
            "counting_gap_p95_ms": quantile(&counting, 95), "counting_gap_max_ms": quantile(&counting, 100),
            "latency_p50_ms": quantile(&ticks, 50), "latency_p95_ms": quantile(&ticks, 95),
            "frame_gap_p50_ms": quantile(&gaps, 50), "frame_gap_p95_ms": quantile(&gaps, 95),
            "frame_gap_max_ms": quantile(&gaps, 100), "frames": gaps.len(), "ticks": ticks.len(),
            "dom_nodes": frames["nodes"], "lines_per_s": rate(&scripted),
        });
        page.picture("flood").await;
        scripted.allow("end");
        page.choose(&id("pause-more")).await;
        page.choose(&id("menu-pause-after")).await;
    });
    match std::env::var_os(FIGURES_FILE) {
        Some(file) => std::fs::write(file, figures.to_string()).unwrap(),
        None => println!("{figures}"),
    }
}

/// How far apart frames are for a while.
async fn gaps_for(page: &Page, time: Duration) -> Vec<f64> {
    page.script(WATCH_FRAMES, vec![]).await;
    tokio::time::sleep(time).await;
    numbers(&page.script(FRAMES, vec![]).await["gaps"])
}

/// How many lines a second were printed.
fn rate(scripted: &ScriptedProject) -> f64 {
    let took = std::fs::read_to_string(scripted.machine.sandbox().root().join("took")).unwrap();
    60_000_000.0 / took.trim().parse::<f64>().unwrap()
}

fn numbers(list: &Value) -> Vec<f64> {
    let mut numbers: Vec<f64> = list.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    numbers.sort_by(f64::total_cmp);
    numbers
}

/// The value below which so many of a hundred are.
fn quantile(sorted: &[f64], percent: usize) -> Option<f64> {
    sorted.get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1))).copied()
}
