//! What `loopwright help TOPIC` prints besides the help of commands.

/// A text about something that several commands share.
pub(crate) struct Topic {
    pub(crate) name: &'static str,
    /// What it is about, in a few words.
    pub(crate) summary: &'static str,
    pub(crate) text: &'static str,
}

pub(crate) const TOPICS: [Topic; 6] = [
    Topic {
        name: "ci",
        summary: "runs without a person and without a terminal",
        text: include_str!("topics/ci.txt"),
    },
    Topic {
        name: "environment",
        summary: "the environment variables that count",
        text: include_str!("topics/environment.txt"),
    },
    Topic {
        name: "exit-codes",
        summary: "what a command's exit code says",
        text: include_str!("topics/exit-codes.txt"),
    },
    Topic {
        name: "json",
        summary: "documents and events for scripts",
        text: include_str!("topics/json.txt"),
    },
    Topic {
        name: "notifications",
        summary: "hearing of a run when you are elsewhere",
        text: include_str!("topics/notifications.txt"),
    },
    Topic {
        name: "terminal",
        summary: "what a run shows while it works",
        text: include_str!("topics/terminal.txt"),
    },
];

/// The topic of a name.
pub(crate) fn find(name: &str) -> Option<&'static Topic> {
    TOPICS.iter().find(|topic| topic.name == name)
}

/// All topics, one line each.
pub(crate) fn list() -> String {
    let line = |topic: &Topic| format!("  {:14} {}\n", topic.name, topic.summary);
    let all: String = TOPICS.iter().map(line).collect();
    format!(
        "Topics of \"loopwright help TOPIC\":\n{all}\n\"loopwright help COMMAND\" is the help of a command."
    )
}
