# Installs the Loopwright CLI on Windows from a release archive, after checking it against the release's SHA256SUMS:
#
#   irm https://github.com/loopwright/loopwright/releases/latest/download/install.ps1 | iex
#
# LOOPWRIGHT_VERSION, LOOPWRIGHT_PREFIX and LOOPWRIGHT_RELEASE_URL mean what they mean in install.sh; the prefix is
# %LOCALAPPDATA%\Programs\loopwright when not set.
& {
    $ErrorActionPreference = 'Stop'
    $releases = 'https://github.com/loopwright/loopwright/releases'
    $url = if ($env:LOOPWRIGHT_RELEASE_URL) { $env:LOOPWRIGHT_RELEASE_URL }
        elseif ($env:LOOPWRIGHT_VERSION) { "$releases/download/v$env:LOOPWRIGHT_VERSION" }
        else { "$releases/latest/download" }
    $prefix = if ($env:LOOPWRIGHT_PREFIX) { $env:LOOPWRIGHT_PREFIX } else { "$env:LOCALAPPDATA\Programs\loopwright" }
    $target = 'x86_64-pc-windows-msvc'

    $work = New-Item -ItemType Directory -Path (Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid()))
    try {
        Invoke-WebRequest -UseBasicParsing "$url/SHA256SUMS" -OutFile "$work\SHA256SUMS"
        $line = Get-Content "$work\SHA256SUMS" | Where-Object { $_ -match "  loopwright-cli-\S*-$target\.tar\.gz$" } |
            Select-Object -First 1
        if (-not $line) { throw "this release has no archive for $target" }
        $sum, $archive = $line -split '  ', 2
        Invoke-WebRequest -UseBasicParsing "$url/$archive" -OutFile "$work\$archive"
        if ((Get-FileHash "$work\$archive" -Algorithm SHA256).Hash -ne $sum) {
            throw "the checksum of $archive does not match; nothing was installed"
        }
        tar -xzf "$work\$archive" -C "$work"
        if ($LASTEXITCODE -ne 0) { throw "cannot unpack $archive" }
        $from = Join-Path $work ($archive -replace '\.tar\.gz$')

        New-Item -ItemType Directory -Force "$prefix\bin" | Out-Null
        foreach ($program in 'loopwright.exe', 'loopwright-rehearsal.exe') {
            Copy-Item -Force "$from\$program" "$prefix\bin\$program"
        }
        Write-Output "Installed $(& "$prefix\bin\loopwright.exe" --version) in $prefix\bin"
        if (($env:Path -split ';') -notcontains "$prefix\bin") {
            Write-Output "That folder is not on your Path yet. Add it, then: loopwright demo tea-house"
        }
    }
    finally {
        Remove-Item -Recurse -Force $work
    }
}
