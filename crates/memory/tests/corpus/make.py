#!/usr/bin/env python3
"""Makes the corpus of failures: runs real tools on small projects that are wrong in one known way, and keeps what they print.

    python3 crates/memory/tests/corpus/make.py [NAME…]

Tools that are not installed are passed over, and what they printed earlier stays. Programs installed by pip and npm are
taken from the folder CORPUS_TOOLS (`venv/bin`, `js/node_modules`). A case's label is what was made wrong, written down in
`cases_*.py` before its output was seen. Names of this machine are replaced.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOOLS = Path(os.environ.get("CORPUS_TOOLS", "/nonexistent"))
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

from cases import CASES, NODE  # noqa: E402

LONGEST = 60_000


def environment(home):
    path = [TOOLS / "venv/bin", TOOLS / "js/node_modules/.bin", os.environ["PATH"]]
    kept = {name: os.environ[name] for name in ("CARGO_HOME", "RUSTUP_HOME", "GOPROXY", "GOFLAGS") if name in os.environ}
    real = Path.home()
    kept.setdefault("CARGO_HOME", str(real / ".cargo"))
    kept.setdefault("RUSTUP_HOME", str(real / ".rustup"))
    return {
        **kept,
        "PATH": ":".join(map(str, path)),
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "NODE_PATH": str(TOOLS / "js/node_modules"),
        "GOCACHE": "/tmp/corpus-go-cache",
        "GOFLAGS": "-mod=mod",
        "CI": "1",
        "CARGO_NET_OFFLINE": "true",
    }


def run(case):
    name, label, files, command = case[:4]
    with tempfile.TemporaryDirectory(prefix="corpus-") as scratch:
        project, home = Path(scratch) / "project", Path(scratch) / "home"
        project.mkdir()
        home.mkdir()
        for path, text in files.items():
            target = project / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
        if case in NODE and (TOOLS / "js/node_modules").exists():
            (project / "node_modules").symlink_to(TOOLS / "js/node_modules")
        try:
            done = subprocess.run(
                ["bash", "-c", command], cwd=project, env=environment(home), capture_output=True, timeout=180,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            return name, "took too long"
        text = (done.stdout + done.stderr).decode("utf-8", "replace")
        if done.returncode == 0:
            return name, "did not fail"
        if done.returncode == 127 and "command not found" in text and label != "command_not_found":
            return name, "the tool is not installed"
        if "or one of its dependencies could not be resolved" in text:
            return name, "Maven's plugins cannot be fetched"
        text = anonymous(text, scratch)
        (HERE / f"{name}.txt").write_text(text[:LONGEST])
        return name, None


def anonymous(text, scratch):
    real = str(Path.home())
    for found, shown in [
        (scratch + "/project", "/home/dev/project"),
        (scratch + "/home", "/home/dev"),
        (scratch, "/home/dev"),
        (str(TOOLS), "/opt/tools"),
        (f"../../{TOOLS.name}", "/opt/tools"),
        (real + "/.cargo", "/home/dev/.cargo"),
        (real + "/.rustup", "/home/dev/.rustup"),
        (real + "/.pyenv", "/home/dev/.pyenv"),
        (real + "/", "/home/dev/"),
        ("crates.io index", "example.org index"),
    ]:
        text = text.replace(found, shown)
    text = re.sub(r"https?://[^\s\"')>\]]+", lambda url: shown_address(url.group()), text)
    return re.sub(r"/tmp/[\w.-]+", "/tmp/scratch", text)


def shown_address(url):
    host = re.match(r"(https?)://([^/:]+)(.*)", url)
    known = ("localhost", "127.0.0.1", "errors.pydantic.dev")
    if not host or host.group(2) in known:
        return url
    return f"{host.group(1)}://example.org{re.sub(r'^:[0-9]+', '', host.group(3))}"


def main():
    wanted = sys.argv[1:]
    cases = [case for case in CASES if not wanted or any(case[0].startswith(name) for name in wanted)]
    names = [case[0] for case in CASES]
    assert len(names) == len(set(names)), sorted(name for name in names if names.count(name) > 1)
    with ThreadPoolExecutor(2) as pool:
        for name, problem in pool.map(run, cases):
            if problem:
                print(f"{name}: {problem}", file=sys.stderr)
    kept = [case for case in CASES if (HERE / f"{case[0]}.txt").exists()]
    rows = ["\t".join((case[0], case[1], *map(str, case[4:]))) for case in sorted(kept)]
    (HERE / "labels.tsv").write_text("\n".join(rows) + "\n")
    print(f"{len(kept)} outputs")


if __name__ == "__main__":
    main()
