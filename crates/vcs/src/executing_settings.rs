//! The settings through which a repository's configuration makes git execute something.
//!
//! One table for both uses: the inspect profile overrides what it finds of these, and findings name them to people.

use crate::config::split_key;
use crate::finding_kind::FindingKind;

/// What takes the place of files and folders that must not be looked at. Git knows this name on every system.
pub(crate) const NOTHING: &str = "/dev/null";

/// A setting that can name a program.
#[derive(Debug)]
pub(crate) struct Sink {
    section: &'static str,
    subsection: Subsection,
    /// Every name when empty.
    name: &'static str,
    /// How it is called in findings.
    pub(crate) kind: FindingKind,
    /// The value that switches it off; none where nothing that the inspect profile does can reach it.
    pub(crate) neutral: Option<&'static str>,
    /// Which values are worth telling.
    telling: Telling,
}

#[derive(Clone, Copy, Debug)]
enum Subsection {
    None,
    Some,
    Any,
}

#[derive(Clone, Copy, Debug)]
enum Telling {
    /// Any value but an empty one.
    Always,
    /// Not the words for yes and no.
    NotBoolean,
    /// Commands, which begin with an exclamation mark.
    Commands,
    /// Addresses that name a helper program, as in `ext::sh -c …`.
    Helpers,
}

const fn sink(
    section: &'static str,
    subsection: Subsection,
    name: &'static str,
    kind: FindingKind,
    neutral: Option<&'static str>,
) -> Sink {
    Sink { section, subsection, name, kind, neutral, telling: Telling::Always }
}

impl Sink {
    const fn telling(mut self, telling: Telling) -> Self {
        self.telling = telling;
        self
    }

    fn matches(&self, section: &[u8], subsection: Option<&[u8]>, name: &[u8]) -> bool {
        let placed = match self.subsection {
            Subsection::None => subsection.is_none(),
            Subsection::Some => subsection.is_some(),
            Subsection::Any => true,
        };
        placed && section == self.section.as_bytes() && (self.name.is_empty() || name == self.name.as_bytes())
    }

    /// Whether a value makes git execute something that git itself does not bring along.
    pub(crate) fn tells(&self, value: Option<&[u8]>) -> bool {
        let Some(value) = value else { return false };
        let is_boolean = [&b"true"[..], b"false", b"yes", b"no", b"on", b"off", b"0", b"1"]
            .iter()
            .any(|word| value.eq_ignore_ascii_case(word));
        match self.telling {
            Telling::Always => !value.is_empty(),
            Telling::NotBoolean => !value.is_empty() && !is_boolean,
            Telling::Commands => value.starts_with(b"!"),
            Telling::Helpers => value.windows(2).any(|pair| pair == b"::"),
        }
    }
}

/// The sink that a key belongs to. The key's section and name are in lower case, as git lists them.
pub(crate) fn find(key: &[u8]) -> Option<&'static Sink> {
    let (section, subsection, name) = split_key(key)?;
    SINKS.iter().find(|sink| sink.matches(section, subsection, name))
}

use FindingKind as Kind;
use Subsection::{Any, None as Plain, Some as Named};

/// Ordered by how readily git reaches them: the first ones fire on a mere `git status`.
static SINKS: &[Sink] = &[
    sink("core", Plain, "fsmonitor", Kind::Fsmonitor, Some("false")).telling(Telling::NotBoolean),
    sink("core", Plain, "virtualfilesystem", Kind::Fsmonitor, Some("")),
    sink("filter", Named, "clean", Kind::Filter, Some("")),
    sink("filter", Named, "smudge", Kind::Filter, Some("")),
    sink("filter", Named, "process", Kind::Filter, Some("")),
    sink("core", Plain, "hookspath", Kind::Hook, Some(NOTHING)),
    sink("hook", Named, "command", Kind::Hook, Some(":")),
    sink("core", Plain, "pager", Kind::Pager, Some("cat")),
    sink("pager", Any, "", Kind::Pager, Some("false")).telling(Telling::NotBoolean),
    sink("diff", Plain, "external", Kind::ExternalDiff, Some("")),
    sink("diff", Named, "command", Kind::ExternalDiff, Some("")),
    sink("diff", Named, "textconv", Kind::Textconv, Some("")),
    sink("interactive", Plain, "difffilter", Kind::ExternalDiff, Some("")),
    sink("merge", Named, "driver", Kind::MergeDriver, Some("")),
    sink("gpg", Any, "program", Kind::Signing, Some("false")),
    sink("gpg", Named, "defaultkeycommand", Kind::Signing, Some("")),
    sink("core", Plain, "editor", Kind::Editor, Some(":")),
    sink("sequence", Plain, "editor", Kind::Editor, Some(":")),
    sink("core", Plain, "sshcommand", Kind::SshCommand, Some("false")),
    sink("core", Plain, "gitproxy", Kind::SshCommand, Some("none")),
    sink("core", Plain, "askpass", Kind::CredentialHelper, Some("")),
    sink("credential", Any, "helper", Kind::CredentialHelper, Some("")),
    sink("core", Plain, "alternaterefscommand", Kind::GitCommand, Some(":")),
    sink("trailer", Named, "command", Kind::GitCommand, Some("")),
    sink("trailer", Named, "cmd", Kind::GitCommand, Some("")),
    sink("gc", Plain, "recentobjectshook", Kind::GitCommand, Some("")),
    sink("uploadpack", Plain, "packobjectshook", Kind::GitCommand, Some("")),
    sink("tar", Named, "command", Kind::GitCommand, Some("")),
    sink("alias", Any, "", Kind::Alias, Option::None).telling(Telling::Commands),
    sink("submodule", Named, "update", Kind::Submodule, Option::None).telling(Telling::Commands),
    sink("submodule", Named, "url", Kind::Submodule, Option::None).telling(Telling::Helpers),
    sink("remote", Named, "url", Kind::Remote, Option::None).telling(Telling::Helpers),
    sink("remote", Named, "pushurl", Kind::Remote, Option::None).telling(Telling::Helpers),
    sink("remote", Named, "vcs", Kind::Remote, Option::None),
    sink("remote", Named, "uploadpack", Kind::Remote, Option::None),
    sink("remote", Named, "receivepack", Kind::Remote, Option::None),
    sink("init", Plain, "templatedir", Kind::Hook, Option::None),
    sink("difftool", Named, "cmd", Kind::GitCommand, Option::None),
    sink("mergetool", Named, "cmd", Kind::GitCommand, Option::None),
    sink("browser", Named, "cmd", Kind::GitCommand, Option::None),
    sink("man", Named, "cmd", Kind::GitCommand, Option::None),
    sink("guitool", Named, "cmd", Kind::GitCommand, Option::None),
    sink("imap", Any, "tunnel", Kind::GitCommand, Option::None),
    sink("sendemail", Any, "smtpserver", Kind::GitCommand, Option::None),
    sink("sendemail", Any, "sendmailcmd", Kind::GitCommand, Option::None),
    sink("sendemail", Any, "tocmd", Kind::GitCommand, Option::None),
    sink("sendemail", Any, "cccmd", Kind::GitCommand, Option::None),
    sink("sendemail", Any, "headercmd", Kind::GitCommand, Option::None),
    sink("lfs", Named, "path", Kind::GitCommand, Option::None),
    sink("lfs", Named, "clean", Kind::Filter, Option::None),
    sink("lfs", Named, "smudge", Kind::Filter, Option::None),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(key: &str) -> Option<FindingKind> {
        find(key.as_bytes()).map(|sink| sink.kind)
    }

    #[test]
    fn keys_lead_to_their_sink_whatever_the_driver_is_called() {
        assert_eq!(kind("core.fsmonitor"), Some(Kind::Fsmonitor));
        assert_eq!(kind("filter.a.b=c d.clean"), Some(Kind::Filter));
        assert_eq!(kind("filter..process"), Some(Kind::Filter));
        assert_eq!(kind("pager.status"), Some(Kind::Pager));
        assert_eq!(kind("credential.https://x.example.helper"), Some(Kind::CredentialHelper));
        assert_eq!(kind("gpg.ssh.program"), Some(Kind::Signing));
        for harmless in
            ["core.bare", "filter.clean", "diff.x.binary", "diff.textconv", "user.name", "pagers.x", "x"]
        {
            assert_eq!(kind(harmless), None, "{harmless}");
        }
    }

    #[test]
    fn only_values_that_execute_something_are_told() {
        let tells = |key: &str, value: &str| find(key.as_bytes()).unwrap().tells(Some(value.as_bytes()));
        assert!(tells("core.fsmonitor", "./watch.sh") && !tells("core.fsmonitor", "true"));
        assert!(tells("alias.x", "!sh") && !tells("alias.x", "log --oneline"));
        assert!(tells("pager.log", "less") && !tells("pager.log", "off"));
        assert!(tells("remote.o.url", "ext::sh -c id") && !tells("remote.o.url", "https://x.example/y.git"));
        assert!(!tells("credential.helper", "") && !find(b"core.pager").unwrap().tells(None));
    }
}
