//! What a person sees and does in the app's windows. Everything waits for what it needs and retries what went stale:
//! the page is redrawn at any time.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use fantoccini::actions::{InputSource as _, KeyAction, KeyActions};
use fantoccini::error::{CmdError, ErrorStatus};
use fantoccini::key::Key;
use fantoccini::wd::WindowHandle;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

use crate::driver::{Driver, capabilities};
use crate::machine::{Machine, artifacts, built};

const PATIENCE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(50);
const TO_REST: Duration = Duration::from_millis(500);

/// A window without the focus gets no keys, so there is one journey at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Waits until no other journey is under way, and keeps it so.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts the app, on a folder or on the start page, goes through the steps, and ends everything whatever happens.
pub(crate) fn journey(
    name: &str,
    machine: &Machine,
    folder: Option<&Path>,
    steps: impl AsyncFnOnce(&mut Page),
) {
    let _alone = alone();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let driver = Driver::start(machine, name);
    let mut page = runtime.block_on(Page::open(&driver, name, folder));
    let outcome = catch_unwind(AssertUnwindSafe(|| runtime.block_on(steps(&mut page))));
    if outcome.is_err() {
        runtime.block_on(page.keep_last_look());
    }
    runtime.block_on(page.close());
    drop(driver);
    if let Err(failure) = outcome {
        resume_unwind(failure);
    }
    machine.assert_nothing_runs();
}

/// A place in the page, by its test id.
pub(crate) fn id(name: &str) -> String {
    format!("[data-testid=\"{name}\"]")
}

/// The windows of one running app, one of them current.
pub(crate) struct Page {
    client: Client,
    journey: String,
}

impl Page {
    async fn open(driver: &Driver, journey: &str, folder: Option<&Path>) -> Self {
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities(&built("loopwright-app"), folder))
            .connect(&driver.address())
            .await
            .unwrap_or_else(|error| panic!("the app does not start: {error}"));
        Self { client, journey: journey.to_owned() }
    }

    async fn close(self) {
        // The app may have ended with its last window, or be there without one.
        let _gone = tokio::time::timeout(PATIENCE, self.client.close()).await;
    }

    /// Waits until something can be seen, and gives its text.
    pub(crate) async fn see(&self, css: &str) -> String {
        self.until(&format!("{css} is not there"), async || self.text_of(css).await).await
    }

    /// Waits until something can be seen that has these words in it.
    pub(crate) async fn see_text(&self, css: &str, words: &str) {
        let shown = async || self.text_of(css).await.filter(|text| text.contains(words));
        self.until(&format!("{css} does not say {words:?}"), shown).await;
    }

    /// Waits until something can no longer be seen.
    pub(crate) async fn see_no(&self, css: &str) {
        self.until(&format!("{css} is still there"), async || {
            self.text_of(css).await.is_none().then_some(())
        })
        .await;
    }

    /// The text of everything that matches and can be seen; none when nothing does.
    async fn text_of(&self, css: &str) -> Option<String> {
        let script = "const seen = [...document.querySelectorAll(arguments[0])]\
                      .filter((element) => element.getClientRects().length > 0);\
                      return seen.length === 0 ? null : seen.map((element) => element.innerText).join('\\n');";
        self.client.execute(script, vec![json!(css)]).await.ok()?.as_str().map(str::to_owned)
    }

    /// Waits until exactly so many elements match.
    pub(crate) async fn see_count(&self, css: &str, number: usize) {
        let counted = async || (self.count(css).await == number).then_some(());
        self.until(&format!("there are not {number} of {css}"), counted).await;
    }

    pub(crate) async fn count(&self, css: &str) -> usize {
        let script = "return document.querySelectorAll(arguments[0]).length;";
        self.script(script, vec![json!(css)]).await.as_u64().unwrap().try_into().unwrap()
    }

    /// Clicks once it is at rest: what still moves under the pointer is not clicked but missed.
    pub(crate) async fn click(&self, css: &str) {
        let clicked = async || {
            let before = self.place_of(css).await?;
            tokio::time::sleep(PAUSE).await;
            if self.place_of(css).await? != before {
                return None;
            }
            let element = self.client.find(Locator::Css(css)).await.ok()?;
            element.click().await.ok()
        };
        self.until(&format!("{css} cannot be clicked"), clicked).await;
    }

    /// Goes to a button and presses Enter, as somebody without a mouse does. In a dialog over a page that is being redrawn
    /// the driver's own clicks do not always arrive; those of a real mouse do.
    pub(crate) async fn choose(&self, css: &str) {
        self.focus(css).await;
        self.press(&[Key::Enter.into()]).await;
    }

    /// The same with a button that closes the window, which may be gone before the key is let go.
    pub(crate) async fn choose_to_close(&self, css: &str) {
        self.focus(css).await;
        match self.strike(&[Key::Enter.into()]).await {
            Err(CmdError::Standard(problem)) if problem.error == ErrorStatus::NoSuchWindow => {}
            other => other.unwrap(),
        }
    }

    async fn focus(&self, css: &str) {
        let focus = "const button = document.querySelector(arguments[0]); button?.focus();\
                     return button !== null && document.activeElement === button;";
        let focused = async || {
            let there = self.client.execute(focus, vec![json!(css)]).await.ok()?;
            (there == true).then_some(())
        };
        self.until(&format!("{css} does not take the focus"), focused).await;
    }

    /// Where something is in the window.
    async fn place_of(&self, css: &str) -> Option<Value> {
        let script = "const box = document.querySelector(arguments[0])?.getBoundingClientRect();\
                      return box ? [box.x, box.y, box.width, box.height] : null;";
        self.client.execute(script, vec![json!(css)]).await.ok().filter(|place| !place.is_null())
    }

    /// Replaces what is in a field, as a person does: choose all, then type.
    pub(crate) async fn fill(&self, css: &str, text: &str) {
        self.click(css).await;
        self.ctrl('a').await;
        for letter in text.chars() {
            self.press(&[letter]).await;
        }
        let value = "return document.querySelector(arguments[0])?.value === arguments[1];";
        let typed = async || {
            let same = self.client.execute(value, vec![json!(css), json!(text)]).await.ok()?;
            (same == true).then_some(())
        };
        self.until(&format!("{css} does not take {text:?}"), typed).await;
    }

    /// Presses keys together: the first ones are held while the last is struck.
    pub(crate) async fn press(&self, keys: &[char]) {
        self.strike(keys).await.unwrap();
    }

    async fn strike(&self, keys: &[char]) -> Result<(), CmdError> {
        let down = keys.iter().map(|key| KeyAction::Down { value: *key });
        let up = keys.iter().rev().map(|key| KeyAction::Up { value: *key });
        let actions =
            down.chain(up).fold(KeyActions::new("keyboard".into()), |actions, action| actions.then(action));
        self.client.perform_actions(actions).await
    }

    pub(crate) async fn ctrl(&self, key: char) {
        self.press(&[Key::Control.into(), key]).await;
    }

    /// Runs a script in the page and gives its answer.
    pub(crate) async fn script(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.client.execute(script, arguments).await.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Runs a script that hands its answer to the function that is its last argument.
    pub(crate) async fn script_answering(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.client.execute_async(script, arguments).await.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// Waits for the window that shows something, and goes on in it.
    pub(crate) async fn go_to_window_with(&mut self, css: &str) {
        let found = async || {
            for window in self.client.windows().await.ok()? {
                let switched = self.client.switch_to_window(window).await;
                if switched.is_ok() && self.text_of(css).await.is_some() {
                    return Some(());
                }
            }
            None
        };
        self.until(&format!("no window shows {css}"), found).await;
    }

    /// Waits until there are so many windows.
    pub(crate) async fn see_windows(&self, number: usize) -> Vec<WindowHandle> {
        let there = async || self.client.windows().await.ok().filter(|windows| windows.len() == number);
        self.until(&format!("there are not {number} windows"), there).await
    }

    /// Keeps a picture of the current window, once what moves has come to rest.
    pub(crate) async fn picture(&self, name: &str) {
        tokio::time::sleep(TO_REST).await;
        let picture = self.look().await.unwrap();
        std::fs::write(artifacts().join(format!("{}-{name}.png", self.journey)), picture).unwrap();
    }

    async fn keep_last_look(&self) {
        if let Some(picture) = self.look().await {
            std::fs::write(artifacts().join(format!("{}-failed.png", self.journey)), picture).unwrap();
        }
    }

    /// A picture of the window. Without a graphics device the driver waits until the page is drawn anew, which one at
    /// rest never is: so one dot of it is kept moving meanwhile.
    async fn look(&self) -> Option<Vec<u8>> {
        let begin = "const dot = document.body.appendChild(document.createElement('i'));\
                     Object.assign(dot.style, { position: 'fixed', top: '0', left: '0', width: '1px', height: '1px' });\
                     let on = false;\
                     window.endPicture = [setInterval(() => { on = !on;\
                       dot.style.backgroundColor = on ? 'white' : 'black'; }, 40), dot];";
        let end = "clearInterval(window.endPicture[0]); window.endPicture[1].remove();";
        self.client.execute(begin, vec![]).await.ok()?;
        let picture = tokio::time::timeout(PATIENCE, self.client.screenshot()).await;
        self.client.execute(end, vec![]).await.ok()?;
        picture.ok()?.ok()
    }

    async fn until<T>(&self, complaint: &str, probe: impl AsyncFn() -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            if let Some(found) = probe().await {
                return found;
            }
            if begun.elapsed() > PATIENCE {
                let page = self.text_of("body").await.unwrap_or_default();
                panic!("{complaint}. The page says:\n{page}");
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}
