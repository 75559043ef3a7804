//! The scripted model, started by hand: prints its address, then one line of JSON for each request.

use std::process::ExitCode;

use loopwright_testkit::model::{Script, Server};

const USAGE: &str = "Use: fake-model --script FILE [--port PORT]";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match options(&words).and_then(|(script, port)| serve(&script, port)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::from(2)
        }
    }
}

fn options(words: &[String]) -> Result<(String, u16), String> {
    let mut script = None;
    let mut port = 0;
    for pair in words.chunks(2) {
        match pair {
            [name, value] if name == "--script" => script = Some(value.clone()),
            [name, value] if name == "--port" => port = value.parse().map_err(|_| USAGE.to_owned())?,
            _ => return Err(USAGE.to_owned()),
        }
    }
    Ok((script.ok_or_else(|| USAGE.to_owned())?, port))
}

fn serve(script: &str, port: u16) -> Result<(), String> {
    let text = std::fs::read_to_string(script).map_err(|error| format!("Cannot read {script}: {error}"))?;
    let rules: Script =
        serde_json::from_str(&text).map_err(|error| format!("{script} is no script: {error}"))?;
    let told = |seen: &_| println!("{}", serde_json::to_string(seen).unwrap_or_default());
    let server = Server::listen(rules, port, told).map_err(|error| format!("Cannot listen: {error}"))?;
    println!("{{\"url\":\"{}\"}}", server.url());
    server.wait();
    Ok(())
}
