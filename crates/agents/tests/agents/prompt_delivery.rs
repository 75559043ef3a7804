//! How the prompt gets to a program, tried with real programs where they tell the difference.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use loopwright_agents::{
    AgentRequest, AgentsError, Generic, GenericOptions, Harness, Invocation, split_command,
};
use loopwright_domain::{Automation, Fault, PromptMode};
use loopwright_testkit::Sandbox;

use crate::support::{PROMPT, request};

fn options(mode: PromptMode, args: &[&str]) -> GenericOptions {
    GenericOptions {
        prompt_mode: mode,
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        ..GenericOptions::new("mine", "/bin/agent")
    }
}

fn args(mode: PromptMode, args: &[&str]) -> Vec<OsString> {
    Generic::new(options(mode, args)).invoke(&request("the prompt").model(Some("m1"))).unwrap().args
}

#[test]
fn the_prompt_goes_where_it_belongs() {
    assert_eq!(args(PromptMode::Stdin, &["-p", "{prompt}"]), ["-p", "{prompt}"]);
    assert_eq!(args(PromptMode::Arg, &["-p"]), ["-p", "the prompt"]);
    assert_eq!(args(PromptMode::Arg, &["--say={prompt}!", "-x"]), ["--say=the prompt!", "-x"]);
    assert_eq!(args(PromptMode::File, &["-f"]), ["-f", "/state/the prompt.md"]);
    assert_eq!(args(PromptMode::File, &["--in={prompt_file}"]), ["--in=/state/the prompt.md"]);
    assert_eq!(args(PromptMode::Stdin, &["-m", "{model}"]), ["-m", "m1"]);
    let call = Generic::new(options(PromptMode::Env, &["-x"])).invoke(&request("the prompt")).unwrap();
    assert_eq!(call.env.get(&OsString::from("LOOPWRIGHT_PROMPT")).unwrap(), "the prompt");
    assert!(call.stdin.is_empty() && call.args == ["-x"]);
}

#[test]
fn what_is_filled_in_is_not_filled_again() {
    let generic = Generic::new(options(PromptMode::Arg, &["{prompt} {model}"]));
    let call = generic.invoke(&request("{model} {prompt}").model(Some("{prompt}"))).unwrap();
    assert_eq!(call.args, ["{model} {prompt} {prompt}"]);
    assert_eq!(call.shown, "/bin/agent '[the prompt, 16 bytes] {model}'");
}

#[test]
fn any_program_is_told_how_much_it_may_do() {
    let mut own = options(PromptMode::Stdin, &[]);
    let tell = |options: &GenericOptions| {
        let asked = request(PROMPT).automation(Automation::Plan).model(Some("m1"));
        let env = Generic::new(options.clone()).invoke(&asked).unwrap().env;
        ["LOOPWRIGHT_AUTOMATION", "LOOPWRIGHT_MODEL"].map(|name| env[&OsString::from(name)].clone())
    };
    assert_eq!(tell(&own), ["plan", "m1"]);
    own.env.insert("LOOPWRIGHT_MODEL".into(), "mine".into());
    assert_eq!(tell(&own), ["plan", "mine"]);
}

#[test]
fn what_cannot_be_handed_over_is_refused_with_advice() {
    let refuse = |mode, args: &[&str], prompt: &str| {
        let error = Generic::new(options(mode, args)).invoke(&request(prompt)).unwrap_err();
        let fault = Fault::from(error.clone());
        (error, fault.code.as_str(), fault.hint.unwrap())
    };
    let long = "x".repeat(200 * 1024);
    for mode in [PromptMode::Arg, PromptMode::Env] {
        let (error, code, hint) = refuse(mode, &[], &long);
        assert!(matches!(error, AgentsError::PromptTooLong { .. }), "{error}");
        assert!(code == "agent.prompt_argument" && hint.contains("stdin"), "{hint}");
        assert!(matches!(refuse(mode, &[], "a\0b").0, AgentsError::PromptWithNul(_)));
    }
    assert_eq!(refuse(PromptMode::Stdin, &["{model}"], "x").0, AgentsError::NoModel);
    let unnamed = GenericOptions { prompt_env: "A=B".into(), ..options(PromptMode::Env, &[]) };
    let error = Generic::new(unnamed).invoke(&request("x")).unwrap_err();
    assert_eq!(error, AgentsError::BadVariable("A=B".into()));
}

#[test]
fn commands_are_split_by_quoting_and_never_run_by_a_shell() {
    assert_eq!(
        split_command("claude -p 'two words' \"$HOME\" && rm -rf *").unwrap(),
        ["claude", "-p", "two words", "$HOME", "&&", "rm", "-rf", "*"]
    );
    for command in ["", "  ", "agent 'open", "'' x"] {
        assert_eq!(split_command(command), Err(AgentsError::BadCommand(command.into())));
    }
}

/// Runs an invocation as it is.
#[cfg(unix)]
fn run(sandbox: &Sandbox, call: &Invocation) -> String {
    let mut command = sandbox.command(&call.program);
    command.args(&call.args).envs(&call.env).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let prompt = call.stdin.clone();
    let writer = std::thread::spawn(move || input.write_all(&prompt));
    let output = child.wait_with_output().unwrap();
    // A program that does not read its prompt closes the pipe.
    let _ = writer.join().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[cfg(unix)]
fn call(program: &str, mode: PromptMode, args: &[&str], request: &AgentRequest<'_>) -> Invocation {
    Generic::new(GenericOptions { program: program.into(), ..options(mode, args) }).invoke(request).unwrap()
}

#[cfg(unix)]
#[test]
fn dial_breaks_on_a_prompt_path_with_a_space() {
    let sandbox = Sandbox::new();
    sandbox.write("a folder/my prompt $(id).md", "hello from the file");
    let file = sandbox.work().join("a folder/my prompt $(id).md");
    let asked = AgentRequest::new("unused", &file, Path::new("/"), "0190");
    let call = call("/bin/cat", PromptMode::File, &[], &asked);
    assert_eq!(run(&sandbox, &call), "hello from the file");
}

#[cfg(unix)]
#[test]
fn dial_cannot_pass_a_prompt_of_200_kb() {
    let sandbox = Sandbox::new();
    let prompt = "200 kB ä\n".repeat(25_000);
    assert!(prompt.len() > 200_000);
    let by_stdin = call("/bin/cat", PromptMode::Stdin, &[], &request(&prompt));
    assert!(run(&sandbox, &by_stdin) == prompt);
}

/// The longest argument that is accepted is one that the system takes.
#[cfg(unix)]
#[test]
fn the_limit_of_an_argument_is_the_systems() {
    let sandbox = Sandbox::new();
    let prompt = "x".repeat(128 * 1024 - 1);
    let by_argument = call("/bin/echo", PromptMode::Arg, &["-n", "{prompt}"], &request(&prompt));
    assert!(run(&sandbox, &by_argument) == prompt);
    let variable = "x".repeat(prompt.len() - "LOOPWRIGHT_PROMPT=".len());
    let by_variable = call("/usr/bin/printenv", PromptMode::Env, &["LOOPWRIGHT_PROMPT"], &request(&variable));
    assert!(run(&sandbox, &by_variable).trim_end() == variable);
}
