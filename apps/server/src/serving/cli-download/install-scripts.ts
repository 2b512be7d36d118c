/** What the scripts need to know: where they come from, and what they fetch. */
export interface Offer {
  /** Scheme, host and port at which this Sheaf is reached. */
  readonly origin: string;
  /** SHA-256 of each bundle, in hexadecimal, by file name. */
  readonly sums: ReadonlyMap<string, string>;
}

const sumLines = ({ sums }: Offer): string[] => [...sums].map(([name, sum]) => `${sum}  ${name}`);

/**
 * Installs the client for the user who runs it, on Linux and macOS: into ~/.local/share/sheaf, with a link in ~/.local/bin. Everything happens in a function
 * that is called at the end, so that half a script does nothing.
 */
export const posixScript = (offer: Offer): string => `#!/bin/sh
# Installs the Sheaf client for this user, from ${offer.origin}
set -eu

server='${offer.origin}'
sums='${sumLines(offer).join('\n')}'

stop() {
  echo "$1" >&2
  exit 1
}

fetch() {
  if command -v curl >/dev/null; then curl -fsSL --retry 3 -o "$2" "$1"
  elif command -v wget >/dev/null; then wget -q -O "$2" "$1"
  else stop 'This needs curl or wget.'
  fi
}

sum_of() {
  if command -v sha256sum >/dev/null; then sha256sum "$1" | cut -d ' ' -f 1
  else shasum -a 256 "$1" | cut -d ' ' -f 1
  fi
}

install() {
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) stop "There is no Sheaf client for $(uname -s)." ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) stop "There is no Sheaf client for the processor $(uname -m)." ;;
  esac
  file=sheaf-$system-$machine.tar.gz
  wanted=$(echo "$sums" | grep "  $file\\$" | cut -d ' ' -f 1) || true
  [ -n "$wanted" ] || stop "This Sheaf offers no client for $system on $machine."

  share=\${XDG_DATA_HOME:-$HOME/.local/share}
  mkdir -p "$share" "$HOME/.local/bin"
  work=$(mktemp -d "$share/sheaf-new.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  echo "Fetching $server/client/$file"
  fetch "$server/client/$file" "$work/$file"
  [ "$(sum_of "$work/$file")" = "$wanted" ] || stop 'What came is not what this Sheaf offers. Nothing was installed.'
  tar -xzf "$work/$file" -C "$work"
  "$work/sheaf/bin/sheaf" --version >/dev/null || stop 'The client does not run on this computer. Nothing was installed.'
  [ ! -e "$share/sheaf" ] || mv "$share/sheaf" "$work/old"
  mv "$work/sheaf" "$share/sheaf" || {
    [ ! -e "$work/old" ] || mv "$work/old" "$share/sheaf"
    stop 'The client could not be put in its place. Nothing was changed.'
  }
  ln -sf "$share/sheaf/bin/sheaf" "$HOME/.local/bin/sheaf"
  echo "Installed sheaf $("$share/sheaf/bin/sheaf" --version) as $HOME/.local/bin/sheaf"
  case :$PATH: in
    *":$HOME/.local/bin:"*) ;;
    *) echo "Your shell does not look there yet. Add this line to its profile:"; echo "  export PATH=\\"\\$HOME/.local/bin:\\$PATH\\"" ;;
  esac
  echo "Sign in with: sheaf login $server"
}

install
`;

/** Installs the client for the user who runs it, on Windows 10 and later, which have tar: into %LOCALAPPDATA%\Programs\Sheaf, and adds that to the path. */
export const windowsScript = (offer: Offer): string =>
  `# Installs the Sheaf client for this user, from ${offer.origin}
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

function Install-Sheaf {
  $server = '${offer.origin}'
  $file = 'sheaf-win32-x64.tar.gz'
  $wanted = '${offer.sums.get('sheaf-win32-x64.tar.gz') ?? ''}'
  if ($wanted -eq '') { throw 'This Sheaf offers no client for Windows.' }

  $programs = Join-Path $env:LOCALAPPDATA 'Programs'
  $target = Join-Path $programs 'Sheaf'
  $work = Join-Path $programs ('Sheaf-new-' + [guid]::NewGuid())
  New-Item -ItemType Directory -Force -Path $work | Out-Null
  try {
    Write-Host "Fetching $server/client/$file"
    $archive = Join-Path $work $file
    Invoke-WebRequest -UseBasicParsing -Uri "$server/client/$file" -OutFile $archive
    if ((Get-FileHash -Algorithm SHA256 $archive).Hash -ne $wanted) { throw 'What came is not what this Sheaf offers. Nothing was installed.' }
    tar -xzf $archive -C $work
    if ($LASTEXITCODE -ne 0) { throw 'The archive could not be unpacked. Nothing was installed.' }
    $old = Join-Path $work 'old'
    if (Test-Path $target) { Move-Item $target $old }
    try {
      Move-Item (Join-Path $work 'sheaf') $target
    } catch {
      if (Test-Path $old) { Move-Item $old $target }
      throw
    }
  } finally {
    Remove-Item -Recurse -Force $work
  }

  $bin = Join-Path $target 'bin'
  $path = [Environment]::GetEnvironmentVariable('Path', 'User')
  if (($path -split ';') -notcontains $bin) { [Environment]::SetEnvironmentVariable('Path', "$path;$bin", 'User') }
  if (($env:Path -split ';') -notcontains $bin) { $env:Path += ";$bin" }
  Write-Host "Installed sheaf $(& (Join-Path $bin 'sheaf.cmd') --version) in $target"
  Write-Host "Sign in with: sheaf login $server"
}

Install-Sheaf
`.replaceAll('\n', '\r\n');
