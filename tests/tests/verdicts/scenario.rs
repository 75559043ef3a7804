//! A scenario is data: what is there, what the agent does, what the user does, what must come of it.

use std::borrow::Cow;

/// What goes wrong when the verdict is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// It says done and is not.
    FalseDone,
    /// It says failed and is not.
    FalseFail,
    /// Something of the user's, or of the agent's good work, is gone.
    LostWork,
}

/// Where the work comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    Run,
    Loop,
    Fix,
}

/// What kind of repository the project is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    Plain,
    LinkedWorktree,
    Submodule,
    Reftable,
    Sha256,
    Shallow,
    Sparse,
    Subfolder,
    Detached,
    /// Its files come from another repository when they are asked for.
    Partial,
    /// A work tree of a repository that has no other one.
    BareWorktree,
    /// `.git` is a file that leads to git's folder.
    SeparateGitDir,
    /// `.git` is a link to git's folder.
    LinkedGitDir,
    /// It borrows objects from another repository.
    Borrowing,
    /// The project's path has blanks, quotes, a colon and more.
    OddPath,
    NoGit,
}

/// Something that happens, one after another.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// The scenario's verb is started.
    Start { codes: Codes },
    /// Another command of Loopwright.
    Command { args: Vec<String>, codes: Codes },
    /// The user does something: a shell script in the project folder.
    User(Text),
    /// From now on the agent is another one.
    Agent(Text),
}

pub(crate) type Text = Cow<'static, str>;
/// The exit codes that are right.
pub(crate) type Codes = Vec<i32>;

/// What has to hold at the end.
#[derive(Clone, Debug)]
pub(crate) enum Expect {
    /// Where the first task stands.
    Task(u32, &'static str),
    /// A file of the commit at HEAD, with its text.
    Head(Text, Text),
    /// A path that is not in the commit at HEAD.
    NotInHead(Text),
    /// A file in the project folder, with its text.
    File(Text, Text),
    /// A path that is not in the project folder.
    NoFile(Text),
    /// How many gates are open.
    Gates(usize),
    /// An open gate has a risk of this kind.
    Risk(&'static str),
    /// Loopwright said this in some step.
    Says(Text),
    /// One of these was said in some step.
    SaysOne(&'static [&'static str]),
    /// Loopwright never said this.
    NeverSays(Text),
    /// The agent was started this often.
    Agents(u32),
    /// A failed attempt that is kept holds this path.
    Kept(Text),
    /// The prompt of an iteration holds this.
    Prompt(u32, Text),
    /// How many commits lie between the start and HEAD.
    Commits(usize),
    /// A shell script in the project folder that must end with 0.
    Holds(Text),
    /// This file has its text from before, or somebody was told its name.
    PutBackOrNamed(Text, Text),
    /// If the commit at HEAD has changed this path, somebody was told its name.
    NamedIfInHead(Text),
    /// If this path is in the project folder, somebody was told its name.
    NamedIfThere(Text),
    /// The run's status is one of these.
    RunStatus(&'static [&'static str]),
}

/// All of it.
#[derive(Clone, Debug)]
pub(crate) struct Scenario {
    pub(crate) name: String,
    pub(crate) class: Class,
    pub(crate) verb: Verb,
    pub(crate) layout: Layout,
    pub(crate) sandboxed: bool,
    /// Files of the first commit.
    pub(crate) files: Vec<(Text, Text)>,
    /// Lines of `.loopwright/config.toml` besides the checks.
    pub(crate) config: String,
    /// Required checks: name, command and further lines of their table.
    pub(crate) checks: Vec<(Text, Text, Text)>,
    pub(crate) tasks: Vec<Vec<Text>>,
    /// What the user did before the run: a shell script in the project folder.
    pub(crate) before: String,
    pub(crate) agent: Text,
    /// What the user does when the agent or a check calls `user_works`.
    pub(crate) meanwhile: Option<Text>,
    pub(crate) args: Vec<Text>,
    pub(crate) steps: Vec<Step>,
    pub(crate) expects: Vec<Expect>,
    /// Paths whose change or loss is meant.
    pub(crate) touches: Vec<Text>,
    /// Refs (or `stash`, `index`, `config`) whose change is meant.
    pub(crate) moves: Vec<Text>,
    /// A named place at which the first start vanishes.
    pub(crate) crash: Option<&'static str>,
    /// Variables of the user's environment.
    pub(crate) variables: Vec<(Text, Text)>,
}

fn scenario(class: Class, name: &str) -> Scenario {
    Scenario {
        name: name.to_owned(),
        class,
        verb: Verb::Run,
        layout: Layout::Plain,
        sandboxed: false,
        files: Vec::new(),
        config: String::new(),
        checks: Vec::new(),
        tasks: Vec::new(),
        before: String::new(),
        agent: Cow::Borrowed("exit 0"),
        meanwhile: None,
        args: Vec::new(),
        steps: Vec::new(),
        expects: Vec::new(),
        touches: Vec::new(),
        moves: Vec::new(),
        crash: None,
        variables: Vec::new(),
    }
}

/// Saying done would be wrong.
pub(crate) fn false_done(name: &str) -> Scenario {
    scenario(Class::FalseDone, name)
}

/// Saying failed would be wrong.
pub(crate) fn false_fail(name: &str) -> Scenario {
    scenario(Class::FalseFail, name)
}

/// Something could be lost.
pub(crate) fn lost_work(name: &str) -> Scenario {
    scenario(Class::LostWork, name)
}

impl Scenario {
    pub(crate) fn looping(mut self) -> Self {
        self.verb = Verb::Loop;
        self
    }

    pub(crate) fn fixing(mut self) -> Self {
        self.verb = Verb::Fix;
        self
    }

    pub(crate) fn sandboxed(mut self) -> Self {
        self.sandboxed = true;
        self.name.push_str(", sandboxed");
        self
    }

    pub(crate) fn layout(mut self, layout: Layout) -> Self {
        self.layout = layout;
        if layout != Layout::Plain {
            self.name.push_str(&format!(", {layout:?}"));
        }
        self
    }

    pub(crate) fn named(mut self, more: &str) -> Self {
        self.name.push_str(more);
        self
    }

    pub(crate) fn file(mut self, path: impl Into<Text>, text: impl Into<Text>) -> Self {
        self.files.push((path.into(), text.into()));
        self
    }

    pub(crate) fn config(mut self, lines: &str) -> Self {
        self.config.push_str(lines);
        self.config.push('\n');
        self
    }

    /// A required check.
    pub(crate) fn check(self, name: impl Into<Text>, command: impl Into<Text>) -> Self {
        self.check_with(name, command, "")
    }

    /// A check with further lines in its table.
    pub(crate) fn check_with(
        mut self,
        name: impl Into<Text>,
        command: impl Into<Text>,
        lines: impl Into<Text>,
    ) -> Self {
        self.checks.push((name.into(), command.into(), lines.into()));
        self
    }

    pub(crate) fn task(mut self, args: &[&'static str]) -> Self {
        self.tasks.push(args.iter().map(|word| Cow::Borrowed(*word)).collect());
        self
    }

    /// What the user did before: several are done in their order.
    pub(crate) fn before(mut self, script: &str) -> Self {
        self.before.push_str(script);
        self.before.push('\n');
        self
    }

    pub(crate) fn agent(mut self, script: impl Into<Text>) -> Self {
        self.agent = script.into();
        self
    }

    pub(crate) fn meanwhile(mut self, script: impl Into<Text>) -> Self {
        self.meanwhile = Some(script.into());
        self
    }

    pub(crate) fn args(mut self, args: &[&'static str]) -> Self {
        self.args.extend(args.iter().map(|word| Cow::Borrowed(*word)));
        self
    }

    pub(crate) fn variable(mut self, name: &'static str, value: impl Into<Text>) -> Self {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// It is started and ends with this code.
    pub(crate) fn exits(self, code: i32) -> Self {
        self.exits_with(&[code])
    }

    pub(crate) fn exits_with(mut self, codes: &[i32]) -> Self {
        self.steps.push(Step::Start { codes: codes.to_vec() });
        self
    }

    /// Then this command is given and ends with this code.
    pub(crate) fn then(self, args: &[&str], code: i32) -> Self {
        self.then_one(args, &[code])
    }

    pub(crate) fn then_one(mut self, args: &[&str], codes: &[i32]) -> Self {
        let args = args.iter().map(|word| (*word).to_owned()).collect();
        self.steps.push(Step::Command { args, codes: codes.to_vec() });
        self
    }

    pub(crate) fn approve(self) -> Self {
        self.then(&["approve", "--yes"], 0)
    }

    pub(crate) fn reject(self) -> Self {
        self.then(&["reject", "--reason", "not like that"], 0)
    }

    pub(crate) fn resume(self, code: i32) -> Self {
        self.then(&["resume"], code)
    }

    pub(crate) fn user(mut self, script: impl Into<Text>) -> Self {
        self.steps.push(Step::User(script.into()));
        self
    }

    pub(crate) fn then_agent(mut self, script: impl Into<Text>) -> Self {
        self.steps.push(Step::Agent(script.into()));
        self
    }

    pub(crate) fn expect(mut self, expect: Expect) -> Self {
        self.expects.push(expect);
        self
    }

    pub(crate) fn done(self) -> Self {
        self.task_is("done")
    }

    pub(crate) fn task_is(self, status: &'static str) -> Self {
        self.expect(Expect::Task(1, status))
    }

    pub(crate) fn head(self, path: impl Into<Text>, text: impl Into<Text>) -> Self {
        self.expect(Expect::Head(path.into(), text.into()))
    }

    pub(crate) fn not_in_head(self, path: impl Into<Text>) -> Self {
        self.expect(Expect::NotInHead(path.into()))
    }

    pub(crate) fn has(self, path: impl Into<Text>, text: impl Into<Text>) -> Self {
        self.expect(Expect::File(path.into(), text.into()))
    }

    pub(crate) fn lacks(self, path: impl Into<Text>) -> Self {
        self.expect(Expect::NoFile(path.into()))
    }

    pub(crate) fn risk(self, kind: &'static str) -> Self {
        self.expect(Expect::Risk(kind))
    }

    pub(crate) fn gates(self, open: usize) -> Self {
        self.expect(Expect::Gates(open))
    }

    pub(crate) fn says(self, words: impl Into<Text>) -> Self {
        self.expect(Expect::Says(words.into()))
    }

    pub(crate) fn never_says(self, words: impl Into<Text>) -> Self {
        self.expect(Expect::NeverSays(words.into()))
    }

    pub(crate) fn agents(self, times: u32) -> Self {
        self.expect(Expect::Agents(times))
    }

    pub(crate) fn kept(self, path: impl Into<Text>) -> Self {
        self.expect(Expect::Kept(path.into()))
    }

    pub(crate) fn holds(self, script: impl Into<Text>) -> Self {
        self.expect(Expect::Holds(script.into()))
    }

    pub(crate) fn touches(mut self, path: impl Into<Text>) -> Self {
        self.touches.push(path.into());
        self
    }

    pub(crate) fn moves(mut self, what: impl Into<Text>) -> Self {
        self.moves.push(what.into());
        self
    }

    /// Whether a person works on a task by hand.
    pub(crate) fn works_by_hand(&self) -> bool {
        let begins = |args: &[String]| args.first().is_some_and(|word| word == "begin");
        self.steps.iter().any(|step| matches!(step, Step::Command { args, .. } if begins(args)))
    }

    /// Once with the sandbox and once without.
    pub(crate) fn both(self) -> Vec<Self> {
        vec![self.clone(), self.sandboxed()]
    }

    /// Once in each of these repositories.
    pub(crate) fn in_each(self, layouts: &[Layout]) -> Vec<Self> {
        layouts.iter().map(|layout| self.clone().layout(*layout)).collect()
    }
}
