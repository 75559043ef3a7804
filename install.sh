#!/bin/sh
# Installs the Loopwright CLI from a release archive, after checking it against the release's SHA256SUMS:
#
#   curl -fsSL https://github.com/loopwright/loopwright/releases/latest/download/install.sh | sh
#
# Nothing is installed when the checksum does not match. Variables that change what it does:
#
#   LOOPWRIGHT_VERSION      a version such as 0.1.0; the latest one when not set
#   LOOPWRIGHT_PREFIX       where bin, share/man and the completions go; ~/.local when not set
#   LOOPWRIGHT_RELEASE_URL  the address that holds SHA256SUMS and the archives
set -eu

main() {
    releases=https://github.com/loopwright/loopwright/releases
    if [ -n "${LOOPWRIGHT_VERSION:-}" ]; then
        url=$releases/download/v$LOOPWRIGHT_VERSION
    else
        url=$releases/latest/download
    fi
    url=${LOOPWRIGHT_RELEASE_URL:-$url}
    prefix=${LOOPWRIGHT_PREFIX:-$HOME/.local}

    target=$(target)
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    fetch "$url/SHA256SUMS" "$work/SHA256SUMS"
    line=$(sed -n "/  loopwright-cli-[^ ]*-$target\.tar\.gz\$/{p;q;}" "$work/SHA256SUMS")
    [ -n "$line" ] ||
        fail "this release has no archive for $target. Build it with \"cargo install\": see docs/building.md."
    archive=${line##* }
    fetch "$url/$archive" "$work/$archive"
    [ "$(checksum "$work/$archive")" = "${line%% *}" ] ||
        fail "the checksum of $archive does not match; nothing was installed."
    tar -xzf "$work/$archive" -C "$work"
    from=$work/${archive%.tar.gz}

    for program in loopwright loopwright-rehearsal; do
        place "$from/$program" "$prefix/bin/$program" 755
    done
    for page in "$from"/man/*.1; do
        place "$page" "$prefix/share/man/man1/${page##*/}" 644
    done
    place "$from/completions/loopwright.bash" "$prefix/share/bash-completion/completions/loopwright" 644
    place "$from/completions/_loopwright" "$prefix/share/zsh/site-functions/_loopwright" 644
    place "$from/completions/loopwright.fish" "$prefix/share/fish/vendor_completions.d/loopwright.fish" 644

    echo "Installed $("$prefix/bin/loopwright" --version) in $prefix/bin"
    case ":$PATH:" in
        *":$prefix/bin:"*) ;;
        *) echo "That folder is not on your PATH yet. Add it, then: loopwright demo tea-house" ;;
    esac
}

# The name that release archives have for this machine.
target() {
    case "$(uname -s)-$(uname -m)" in
        Linux-x86_64) echo x86_64-unknown-linux-gnu ;;
        Linux-aarch64 | Linux-arm64) echo aarch64-unknown-linux-gnu ;;
        Darwin-x86_64) echo x86_64-apple-darwin ;;
        Darwin-arm64) echo aarch64-apple-darwin ;;
        *) fail "there is no archive for $(uname -s) on $(uname -m). On Windows use install.ps1." ;;
    esac
}

fetch() {
    if command -v curl >/dev/null; then
        curl -fsSL -o "$2" "$1" || fail "cannot fetch $1"
    elif command -v wget >/dev/null; then
        wget -q -O "$2" "$1" || fail "cannot fetch $1"
    else
        fail "neither curl nor wget is installed."
    fi
}

checksum() {
    if command -v sha256sum >/dev/null; then
        sha256sum "$1" | cut -d ' ' -f 1
    elif command -v shasum >/dev/null; then
        shasum -a 256 "$1" | cut -d ' ' -f 1
    else
        fail "neither sha256sum nor shasum is installed, so the archive cannot be checked."
    fi
}

# A running program is replaced by another file, never written over.
place() {
    mkdir -p "${2%/*}"
    cp "$1" "$2.new"
    chmod "$3" "$2.new"
    mv -f "$2.new" "$2"
}

fail() {
    echo "install.sh: $1" >&2
    exit 1
}

# Read whole before anything runs: a download that breaks off does nothing.
main "$@"
