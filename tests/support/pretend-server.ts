import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { toProgramEnvironment } from '../../src/config/program-environment.ts'

/** The folders that go-live uses on a server. */
const places = ['/opt/farthing', '/etc/farthing', '/etc/systemd/system', '/etc/caddy', '/var/lib/farthing']
const moved = [...places, '/var/backups/farthing']

/** A stand-in for `systemctl` on a machine without systemd, which starts and stops the units of the document. */
const systemctl = (root: string) => `#!/bin/bash
set -euo pipefail
units=${root}/etc/systemd/system
start() {
  local file=$units/$1.service
  [ "$1" != caddy ] || file=$units/caddy.service.d/farthing.conf
  local text; text=$(sed 's#/usr/local/bin/node#${process.execPath}#g; ${moved.map((path) => `s#${path}#${root}${path}#g`).join('; ')}' "$file")
  local kept; kept=$(mktemp -d)
  local name path
  while IFS=: read -r name path; do cp "$path" "$kept/$name"; done < <(sed -n 's/^LoadCredential=//p' <<< "$text")
  local settings; settings=$(sed -n 's/^Environment=//p' <<< "$text")
  local run; run=$(sed -n 's/^ExecStart=//p' <<< "$text")
  if [ "$1" = caddy ]; then
    sed -i '0,/^{$/s//{\\n\\tadmin off\\n\\tlocal_certs\\n\\tskip_install_trust\\n\\tauto_https disable_redirects\\n\\tdefault_bind 127.0.0.1/' ${root}/etc/caddy/Caddyfile
    run="caddy run --config ${root}/etc/caddy/Caddyfile"
  fi
  cd ${root}/opt/farthing
  CREDENTIALS_DIRECTORY=$kept run=$run nohup setsid env $settings bash -c 'eval "exec $run"' >> "${root}/$1.log" 2>&1 &
  echo $! > "${root}/$1.pid"
}
stop() {
  [ -e "${root}/$1.pid" ] || return 0
  local pid; pid=$(cat "${root}/$1.pid")
  kill "$pid"
  while kill -0 "$pid" 2> /dev/null; do sleep 0.1; done
}
verb=$1; shift
case $verb in
  daemon-reload) ;;
  enable) shift; for unit; do start "$unit"; done ;;
  restart) for unit; do stop "$unit"; start "$unit"; done ;;
  stop) for unit; do stop "$unit"; done ;;
  *) echo "systemctl $verb is not known here" >&2; exit 1 ;;
esac
`

/**
 * An empty folder as the root of a server that was prepared by "The server" in go-live, and a repository to clone,
 * which is the current working copy.
 */
export function layServer() {
  const root = mkdtempSync(join(tmpdir(), 'farthing-server-'))
  for (const path of moved) mkdirSync(join(root, path), { recursive: true })
  const bin = join(root, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'systemctl'), systemctl(root))
  chmodSync(join(bin, 'systemctl'), 0o755)
  const repository = join(root, 'repository')
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    encoding: 'utf8',
  })
  for (const name of listed.split('\0').filter(Boolean)) cpSync(name, join(repository, name))
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@shop.example', ...args], { cwd: repository })
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '--message', 'A press')
  return {
    root,
    repository,
    env: {
      ...toProgramEnvironment(process.env),
      PATH: [bin, dirname(process.execPath), process.env['PATH'] ?? ''].join(':'),
      ...{ XDG_DATA_HOME: root, XDG_STATE_HOME: root },
    },
    /** Moves the paths in these commands below the folder. */
    move: (commands: string): string => moved.reduce((text, path) => text.replaceAll(path, root + path), commands),
    /** Stops everything that was started on it, and removes it. */
    stop(): void {
      for (const name of readdirSync(root).filter((file) => file.endsWith('.pid')))
        process.kill(Number(readFileSync(join(root, name), 'utf8')), 'SIGKILL')
      rmSync(root, { recursive: true, force: true })
    },
  }
}

export type Server = ReturnType<typeof layServer>
