//! A repository full of canaries: each is a command that leaves a trace when anything runs it.

use loopwright_vcs::Repository;

use crate::support::Lab;

/// Files that are tracked and handed to a filter each; `status` looks into them because their time changed.
const FILTERED: &[(&str, &str)] = &[
    ("clean.bin", "clean"),
    ("process.bin", "process"),
    ("odd.bin", "ev=il"),
    ("included.bin", "included"),
    ("conditional.bin", "conditional"),
    ("worktree.bin", "worktree"),
    ("info.bin", "info"),
];

/// Builds the repository `project`. Nothing has fired when it is done.
pub(crate) async fn plant(lab: &Lab) -> Repository {
    let repository = lab.repository("project").await;
    write_tree(lab).await;
    lab.must("project", &["add", "--all"]).await;
    lab.must("project", &["commit", "--quiet", "--message", "the bait"]).await;
    // Only now, so that building it does not set anything off.
    write_config(lab);
    write_drivers(lab);
    write_hooks(lab);
    write_agent_files(lab);
    write_nested(lab);
    for (file, _) in FILTERED {
        lab.age(format!("project/{file}"));
    }
    lab.forget();
    repository
}

async fn write_tree(lab: &Lab) {
    let mut attributes =
        String::from("*.conv diff=conv\n*.cmd diff=cmd\n*.mrg merge=mrg\nsmudge.bin filter=smudge\n");
    for (file, driver) in FILTERED.iter().filter(|(_, driver)| *driver != "info") {
        attributes.push_str(&format!("{file} filter={driver}\n"));
    }
    lab.write("project/.gitattributes", attributes);
    for (file, _) in FILTERED {
        lab.write(format!("project/{file}"), format!("{file}\n"));
    }
    for file in ["smudge.bin", "a.conv", "a.cmd", "a.mrg"] {
        lab.write(format!("project/{file}"), "before\n");
    }
    let modules = format!(
        "[submodule \"nested\"]\n\tpath = nested\n\turl = ext::/bin/sh -c {}\n\tupdate = !{}\n",
        lab.canary("modules-url").replace(' ', "% "),
        lab.canary("modules-update")
    );
    lab.write("project/.gitmodules", modules);
    lab.write("project/nested/.gitattributes", "deep.bin filter=deep\n");
    lab.write("project/nested/deep.bin", "deep\n");
    lab.repository("project/nested").await;
}

fn write_config(lab: &Lab) {
    let run = |name: &str| lab.canary(name);
    let pass = |name: &str| format!("\"{}; /bin/cat\"", lab.canary(name));
    let evil_url = |name: &str| format!("ext::/bin/sh -c {}", lab.canary(name).replace(' ', "% "));
    let config = [
        "[extensions]\n\tworktreeConfig = true\n".to_owned(),
        format!(
            "[core]\n\tfsmonitor = \"{}; :\"\n\tpager = {}\n\teditor = \"{}; :\"\n",
            run("fsmonitor"),
            pass("pager"),
            run("editor")
        ),
        format!(
            "\tsshCommand = \"{}; false\"\n\taskPass = {}\n\tgitProxy = {}\n",
            run("ssh"),
            lab.script("evil/askpass", &run("askpass")).display(),
            lab.script("evil/proxy", &run("proxy")).display()
        ),
        format!("\talternateRefsCommand = {}\n", run("alternate-refs")),
        format!("[pager]\n\tstatus = {}\n\tlog = {}\n", pass("pager-status"), pass("pager-log")),
        format!("[filter \"clean\"]\n\tclean = {}\n\trequired = true\n", pass("clean")),
        format!("[filter \"smudge\"]\n\tsmudge = {}\n", pass("smudge")),
        format!("[filter \"process\"]\n\tprocess = \"{}; false\"\n", run("process")),
        format!("[filter \"ev=il\"]\n\tclean = {}\n\trequired\n", pass("odd-name")),
        format!("[filter \"info\"]\n\tclean = {}\n", pass("info-attributes")),
        format!("[diff]\n\texternal = \"{}; :\"\n", run("diff-external")),
        format!("[diff \"conv\"]\n\ttextconv = \"{}; /bin/cat\"\n", run("textconv")),
        format!("[diff \"cmd\"]\n\tcommand = \"{}; :\"\n", run("diff-command")),
        format!("[merge \"mrg\"]\n\tdriver = \"{}; :\"\n", run("merge-driver")),
        format!("[gpg]\n\tprogram = {}\n", lab.script("evil/gpg", &run("gpg")).display()),
        format!(
            "[gpg \"ssh\"]\n\tprogram = {}\n\tdefaultKeyCommand = {}\n",
            lab.script("evil/gpg-ssh", &run("gpg-ssh")).display(),
            run("gpg-ssh-key")
        ),
        "[log]\n\tshowSignature = true\n".to_owned(),
        format!("[credential]\n\thelper = \"!{}; :\"\n", run("credential")),
        format!("[sequence]\n\teditor = \"{}; :\"\n", run("sequence-editor")),
        format!("[alias]\n\tstatus = \"!{}\"\n\tevil = \"!{}\"\n", run("alias-status"), run("alias")),
        format!("[trailer \"sign\"]\n\tkey = Signed\n\tcommand = \"{}; echo x\"\n", run("trailer")),
        format!("[tar \"evil\"]\n\tcommand = {}\n", pass("tar")),
        format!("[uploadpack]\n\tpackObjectsHook = {}\n", run("pack-objects")),
        format!("[interactive]\n\tdiffFilter = {}\n", pass("diff-filter")),
        format!("[hook \"lint\"]\n\tevent = pre-commit\n\tcommand = {}\n", run("config-hook")),
        format!(
            "[submodule \"nested\"]\n\tactive = true\n\turl = ./nested\n\tupdate = !{}\n",
            run("submodule-update")
        ),
        format!(
            "[protocol \"ext\"]\n\tallow = always\n[remote \"evil\"]\n\turl = {}\n\tuploadpack = {}\n",
            evil_url("remote-ext"),
            run("upload-pack")
        ),
        "[include]\n\tpath = ../evil.cfg\n[includeIf \"gitdir:**/.git\"]\n\tpath = conditional.cfg\n"
            .to_owned(),
    ];
    lab.append("project/.git/config", &config.concat());
}

/// Drivers that are not in the configuration file itself.
fn write_drivers(lab: &Lab) {
    let filter = |name: &str| format!("[filter \"{name}\"]\n\tclean = \"{}; /bin/cat\"\n", lab.canary(name));
    lab.write("project/evil.cfg", filter("included"));
    lab.write("project/.git/conditional.cfg", filter("conditional"));
    lab.write("project/.git/config.worktree", filter("worktree"));
    lab.write("project/.git/info/attributes", "info.bin filter=info\n");
}

/// A repository of its own inside the folder, with drivers that the outer configuration does not name.
fn write_nested(lab: &Lab) {
    let config = format!(
        "[core]\n\tfsmonitor = \"{}; :\"\n[filter \"deep\"]\n\tclean = \"{}; /bin/cat\"\n",
        lab.canary("nested-fsmonitor"),
        lab.canary("nested-filter")
    );
    lab.append("project/nested/.git/config", &config);
    lab.age("project/nested/deep.bin");
}

fn write_hooks(lab: &Lab) {
    for hook in [
        "pre-commit",
        "prepare-commit-msg",
        "commit-msg",
        "post-commit",
        "post-checkout",
        "post-merge",
        "post-index-change",
        "reference-transaction",
        "pre-push",
        "pre-auto-gc",
    ] {
        lab.script(format!("project/.git/hooks/{hook}"), &lab.canary(hook));
    }
}

fn write_agent_files(lab: &Lab) {
    let command = |name: &str| format!(r#""command":"{}""#, lab.canary(name));
    let hooks = format!(
        r#"{{"hooks":{{"SessionStart":[{{"hooks":[{{"type":"command",{}}}]}}]}}}}"#,
        command("claude-hook")
    );
    lab.write("project/.claude/settings.json", &hooks);
    lab.write("project/.claude/settings.local.json", &hooks);
    lab.write("project/.mcp.json", format!(r#"{{"mcpServers":{{"x":{{{}}}}}}}"#, command("mcp")));
    lab.write(
        "project/.codex/config.toml",
        format!("notify = [\"sh\", \"-c\", \"{}\"]\n", lab.canary("codex")),
    );
    lab.write(
        "project/.gemini/settings.json",
        format!(r#"{{"mcpServers":{{"x":{{{}}}}}}}"#, command("gemini")),
    );
    lab.write("project/.cursor/mcp.json", format!(r#"{{"mcpServers":{{"x":{{{}}}}}}}"#, command("cursor")));
    lab.write("project/.opencode/plugin/evil.js", "export default () => {}\n");
    lab.write("project/.envrc", lab.canary("envrc"));
    lab.write("project/.vscode/tasks.json", format!(r#"{{"tasks":[{{{}}}]}}"#, command("editor-task")));
    lab.script("project/git", &lab.canary("git-shim"));
}
