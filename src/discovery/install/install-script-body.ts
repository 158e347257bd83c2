import { splitPrograms } from './split-programs.ts'

/**
 * The part of the install script that is the same for every skill; the function `describe_skill` is put in front of it.
 * It is POSIX sh, tried in dash, busybox and zsh (where `status` is read-only, so no variable has that name). Only the
 * last line runs anything, so a truncated download does nothing.
 */
export const installScriptBody = `
say() { printf '%s\\n' "$*" >&2; }

stop() {
  code=$1
  shift
  say "$@"
  exit "$code"
}

help() {
  cat <<EOF
Installs the Agent Skill $slug, bought for $price in USDC on Base (x402).

  curl -fsSL $install_url | sh -s -- [options]

  --agent NAME      claude, cursor, codex, gemini, copilot, windsurf or opencode: installs where that agent looks
  --project         installs for the project in the current folder instead of for you
  --key-file FILE   private key of the wallet that pays
  --help            this text

  FARTHING_PRIVATE_KEY   the key itself, when there is no --key-file
  MAX_USD                never let it cost more, over all runs (default: $price_usd)
  SKILLS_DIR             install below this folder, whatever the agent

Without --agent: ~/.agents/skills, which most agents read, or ~/.claude/skills where only Claude Code is set up.

exit status: 0 installed; nothing was signed: 1 failed, 2 no key, 3 too dear, 4 the terms cannot be met; 5 signed and
not delivered, and 6 not saved: what is at risk is said, and the same command sends the same payment again;
64 wrong options
EOF
}

# Sets skills_dir to where the agent looks for skills.
choose_folder() {
  if [ -n "\${SKILLS_DIR:-}" ]; then
    skills_dir=$SKILLS_DIR
    return
  fi
  home=\${HOME:-}
  if [ -z "$home" ] && [ "$scope" = user ]; then stop 1 'HOME is not set; set SKILLS_DIR. This run signed nothing.'; fi
  if [ -z "$agent" ] && [ "$scope" = user ] && [ -d "$home/.claude" ] && [ ! -d "$home/.agents" ]; then
    agent=claude
  fi
  case $scope:$agent in
    user:claude) skills_dir=$home/.claude/skills ;;
    user:cursor) skills_dir=$home/.cursor/skills ;;
    user:codex) skills_dir=\${CODEX_HOME:-$home/.codex}/skills ;;
    user:gemini) skills_dir=$home/.gemini/skills ;;
    user:copilot) skills_dir=$home/.copilot/skills ;;
    user:windsurf) skills_dir=$home/.codeium/windsurf/skills ;;
    user:opencode) skills_dir=\${XDG_CONFIG_HOME:-$home/.config}/opencode/skills ;;
    user:) skills_dir=$home/.agents/skills ;;
    project:claude) skills_dir=./.claude/skills ;;
    project:cursor) skills_dir=./.cursor/skills ;;
    project:gemini) skills_dir=./.gemini/skills ;;
    project:copilot) skills_dir=./.github/skills ;;
    project:windsurf) skills_dir=./.windsurf/skills ;;
    project:opencode) skills_dir=./.opencode/skills ;;
    project:codex | project:) skills_dir=./.agents/skills ;;
    *) stop 64 "--agent must be claude, cursor, codex, gemini, copilot, windsurf or opencode, not '$agent'" ;;
  esac
}

has() { command -v "$1" >/dev/null 2>&1; }

sha256_of() {
  if has sha256sum; then
    sha256sum <"$1" | cut -d ' ' -f 1
  elif has shasum; then
    shasum -a 256 <"$1" | cut -d ' ' -f 1
  else
    openssl dgst -sha256 -r <"$1" | cut -d ' ' -f 1
  fi
}

# Writes the programs of a skill into a folder, and prints its text without them.
split_programs() {
  folder=$1 awk '${splitPrograms}' <"$2"
}

# Keeps a file that is about to be replaced by another one.
keep() {
  if [ ! -f "$2" ] || [ "$(sha256_of "$1")" = "$(sha256_of "$2")" ]; then return; fi
  cp -p -- "$2" "$2.bak" || return 1
  say "kept     the former file as $2.bak"
}

put() { keep "$1" "$2" && cp -- "$1" "$2"; }

# Puts what was bought where it belongs. The text as it was sold comes last: by it the next run knows that all is there.
put_skill() {
  mkdir "$work/scripts" || return 1
  split_programs "$work/scripts" "$part" >"$work/body.md" || return 1
  programs=$(find "$work/scripts" -type f | wc -l | tr -d ' ')
  if [ "$programs" -gt 0 ]; then
    mkdir -p -- "$folder/scripts" "$folder/assets" || return 1
    for program in "$work"/scripts/*; do put "$program" "$folder/scripts/\${program##*/}" || return 1; done
    cat "$work/body.md" >"$part" || return 1
  fi
  keep "$part" "$file" || return 1
  mv -f -- "$part" "$file" || return 1
  if [ "$programs" -gt 0 ]; then put "$work/SKILL.md" "$folder/assets/as-sold.md" || return 1; fi
}

download() {
  if has curl; then
    curl -fsS --max-time 60 -o "$2" "$1"
  else
    wget -q -T 60 -O "$2" "$1"
  fi
}

check_tools() {
  has sha256sum || has shasum || has openssl || stop 1 'This needs sha256sum, shasum or openssl. This run signed nothing.'
  has curl || has wget || stop 1 'This needs curl or wget. This run signed nothing.'
}

check_node() {
  if ! has node || ! node -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)'; then
    stop 1 'To pay, this needs Node.js 20 or newer (https://nodejs.org). This run signed nothing.'
  fi
}

has_key() {
  [ -n "$key_file" ] || [ -n "\${FARTHING_PRIVATE_KEY:-}" ] ||
    { [ "$mode" = sandbox ] && [ -f "\${DATA_DIR:-.data}/sandbox.json" ]; }
}

explain_payment() {
  if [ "$mode" = sandbox ]; then
    say
    say 'This shop is a sandbox. Run this where it was started, or set DATA_DIR to its data folder, and its own wallet'
    say 'pays with simulated money. Use no real wallet here: what it signs for a sandbox would be good on Base.'
  fi
  cat >&2 <<EOF

There is no key to pay with. $price goes to $pay_to, in USDC on Base ($network).
The wallet that pays needs USDC and no ETH; keep no more in it than you mean to spend. Then either

  export FARTHING_PRIVATE_KEY=0x...
  curl -fsSL $install_url | sh

or, with the key in a file that only you can read,

  curl -fsSL $install_url | sh -s -- --key-file wallet.key

Any x402 v2 client can buy $raw_url too; save what it gets as
$file
EOF
}

clean_up() {
  rm -rf "\${work:-}" "\${part:-}"
  if [ -n "\${folder:-}" ]; then rmdir "$folder" 2>/dev/null || :; fi
}

main() {
  describe_skill
  agent='' scope=user key_file='' work='' part='' folder=''
  while [ $# -gt 0 ]; do
    case $1 in
      --agent | --key-file)
        [ $# -gt 1 ] || stop 64 "$1 needs a value"
        if [ "$1" = --agent ]; then agent=$2; else key_file=$2; fi
        shift
        ;;
      --agent=*) agent=\${1#*=} ;;
      --key-file=*) key_file=\${1#*=} ;;
      --project) scope=project ;;
      --help | -h)
        help
        exit 0
        ;;
      *) stop 64 "unknown option: $1 (--help lists them)" ;;
    esac
    shift
  done
  check_tools
  choose_folder
  file=$skills_dir/$slug/SKILL.md

  say "skill    $slug: $title"
  if [ -d "$file" ]; then stop 1 "$file is a folder; move it away"; fi
  for sold in "$file" "$skills_dir/$slug/assets/as-sold.md"; do
    if [ -f "$file" ] && [ -f "$sold" ] && [ "$(sha256_of "$sold")" = "$skill_sha256" ]; then
      stop 0 "already installed in $file; nothing to pay"
    fi
  done
  say "price    $price in USDC on Base ($network)"
  say "paid to  $pay_to"
  if [ "$mode" = sandbox ]; then say 'mode     sandbox: simulated money'; else say "mode     $mode: real money"; fi
  say "into     $file"

  if ! has_key; then
    explain_payment
    exit 2
  fi
  check_node

  # What can fail for free fails before the payment: the folder, the download, the checksum.
  trap clean_up EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  mkdir -p -- "$skills_dir/$slug" || stop 1 'This run signed nothing.'
  folder=$skills_dir/$slug
  part=$(mktemp "$folder/.SKILL.md.XXXXXX") || stop 1 'This run signed nothing.'
  work=$(mktemp -d "\${TMPDIR:-/tmp}/farthing.XXXXXX") || stop 1 'This run signed nothing.'
  download "$buyer_url" "$work/buy.mjs" || stop 1 "$buyer_url could not be fetched. This run signed nothing."
  if [ "$(sha256_of "$work/buy.mjs")" != "$buyer_sha256" ]; then
    stop 1 "$buyer_url is not the program this script was written for. Fetch the script again; this run signed nothing."
  fi

  unsaved="Bought, and not all of it could be written to $folder. When it can be, the same command fetches it again and pays nothing."
  set --
  if [ -n "$key_file" ]; then set -- --key-file "$key_file"; fi
  code=0
  node "$work/buy.mjs" "$raw_url" -o "$work/SKILL.md" --max-usd "\${MAX_USD:-$price_usd}" \
    --sha256 "$skill_sha256" "$@" </dev/null || code=$?
  if [ "$code" -ne 0 ]; then stop "$code" 'Not installed.'; fi

  cat "$work/SKILL.md" >"$part" || stop 6 "$unsaved"
  if [ "$(sha256_of "$part")" != "$skill_sha256" ]; then
    stop 6 'The skill does not have the promised checksum. Not installed.'
  fi
  put_skill || stop 6 "$unsaved"
  say "installed $file"
  if [ "$programs" -gt 0 ]; then say "with     its programs ($programs) in $folder/scripts"; fi
}

main "$@"
`
