//! The machine around the code: memory, disk, network, programs, permissions; the shell and git.

use super::{Rule, cause, hint, symptom};

/// Before the rules of languages: what these say is the cause whatever a language calls it.
pub(super) const RULES: &[Rule] = &[
    cause(
        "out_of_memory",
        &[
            "JavaScript heap out of memory",
            "Cannot allocate memory",
            "MemoryError",
            "out of memory",
            "Out of memory",
            "OOMKilled",
            "ENOMEM",
            "memory allocation of ",
        ],
        r"(?i)(?:heap out of memory|cannot allocate memory|\bMemoryError\b|(?:^|\W)out of memory|oomkilled|\bENOMEM\b|memory allocation of \d+ bytes failed)",
    ),
    cause("disk_full", &["No space left on device", "ENOSPC", "Disk quota exceeded", "disk is full"], ""),
    cause("too_many_files", &["Too many open files", "EMFILE", "ENFILE"], ""),
    cause(
        "port_in_use",
        &["EADDRINUSE", "ddress already in use", "AddrInUse", "port is already allocated", "BindException"],
        "",
    ),
    cause(
        "network",
        &[
            "ECONNREFUSED",
            "ECONNRESET",
            "ENOTFOUND ",
            "EAI_AGAIN",
            "ENETUNREACH",
            "EHOSTUNREACH",
            "ConnectionRefused",
            "onnection refused",
            "Could not resolve host",
            "Couldn't connect to server",
            "Temporary failure in name resolution",
            "Name or service not known",
            "Network is unreachable",
            "No route to host",
            "unable to access 'http",
            "Failed to connect to",
            "onnection reset by peer",
            "Connection timed out",
            "getaddrinfo",
            "The requested URL returned error",
            "npm error network",
            "spurious network error",
        ],
        "",
    ),
    cause(
        "missing_library",
        &[
            "error while loading shared libraries",
            "cannot open shared object file",
            "Library not loaded: ",
            "dlopen(",
        ],
        "",
    ),
    cause(
        "command_not_found",
        &[
            "command not found",
            ": not found",
            "is not recognized as an internal or external command",
            "bad interpreter",
            "required file not found",
            "executable file not found in",
        ],
        r"(?:command not found|^(?:sh|/bin/sh|\S+\.sh|dash|bash|ash|/usr/bin/\w+): (?:line )?\d+: \S+: not found|^sh: \S+: not found|is not recognized as|bad interpreter|required file not found|executable file not found)",
    ),
    cause(
        "command_not_found",
        &["spawn ", "/usr/bin/env: "],
        r"(?:spawn \S+ ENOENT|/usr/bin/env: .*: No such file)",
    ),
    cause(
        "command_not_found",
        &["make: ", "No such file or directory"],
        r"^make(?:\[\d+\])?: \S+: No such file or directory",
    ),
];

/// After the rules of languages.
pub(super) const LATE_RULES: &[Rule] = &[
    cause(
        "git_conflict",
        &[
            "CONFLICT (",
            "patch does not apply",
            "patch failed: ",
            "could not apply ",
            "Automatic merge failed",
            "needs merge",
        ],
        "",
    ),
    cause(
        "permission_denied",
        &[
            "Permission denied",
            "EACCES",
            "permission denied",
            "Operation not permitted",
            "EPERM",
            "Read-only file system",
            "kind: PermissionDenied",
            "Access is denied",
        ],
        "",
    ),
    cause(
        "file_not_found",
        &[
            "No such file or directory",
            "ENOENT",
            "no such file or directory",
            "cannot access '",
            "kind: NotFound",
            "The system cannot find the",
        ],
        "",
    ),
    cause(
        "syntax_error",
        &["syntax error", "Syntax error"],
        r"(?:^|\s)(?:\S+: )?(?:line )?\d+: .*[Ss]yntax error|[Ss]yntax error(?: near|: )",
    ),
    cause("name_error", &["unbound variable", "parameter not set"], ""),
    cause("lint", &["SC1", "SC2", "SC3"], r"(?:\^-*\^? ?SC\d{4} \(|\[SC\d{4}\])"),
    cause("out_of_memory", &["Killed"], r"(?:^|\s)Killed(?:$|\s|\n)"),
    cause(
        "git_error",
        &["fatal: ", "error: pathspec", "nothing to commit", "would be overwritten by"],
        r"(?:^fatal: |^error: (?:pathspec|Your local changes)|nothing to commit|would be overwritten by)",
    ),
    cause(
        "usage_error",
        &[
            "unrecognized option",
            "unrecognized arguments",
            "unrecognized command-line option",
            "bad option: ",
            "unknown option",
            "error: unexpected argument",
            "invalid option",
            "unknown argument",
            "unsupported option",
        ],
        "",
    ),
    cause(
        "data_syntax",
        &[".toml: ", ".json: ", ".yaml: ", ".yml: ", ".xml: ", ".ini: "],
        r"\.(?:toml|json|ya?ml|xml|ini): (?:[Ee]xpected|[Uu]nexpected|[Ii]nvalid|[Pp]arse)",
    ),
    hint(
        "data_syntax",
        &["Expecting ", "Invalid JSON", "invalid JSON", "Unexpected key"],
        r"(?:^Expecting .*: line \d+ column \d+|[Ii]nvalid JSON|Unexpected key)",
    ),
    hint("timeout", &["timed out", "Timed out", "deadline exceeded", "ETIMEDOUT", "imeout exceeded"], ""),
    symptom("usage_error", &["usage: ", "Usage: "], r"^[Uu]sage: "),
];
