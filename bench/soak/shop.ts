import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gameMemory, smallMemory, smallYoungGeneration } from '../../src/core/small-memory.ts'
import { stopWithParent } from '../../src/sandbox/stop-with-parent.ts'
import { copyRepository } from '../../tests/support/copy-repository.ts'
import type { RunningMoney } from '../../tests/support/money.ts'
import { runProgram } from '../../tests/support/run-program.ts'
import { startSite } from '../../tests/support/running-site.ts'
import { startTurns } from '../../tests/support/take-turns.ts'
import { makeLogReader } from './read-log.ts'
import type { OpenRecord } from './record.ts'

/** The programs of the build, as the systemd units start them. */
const programs = {
  'site-1': '.build/current/programs/site.mjs',
  'site-2': '.build/current/programs/site.mjs',
  game: '.build/current/programs/game-host.mjs',
} as const
export type ProgramName = keyof typeof programs
export const programNames = ['site-1', 'site-2', 'game'] as const satisfies readonly ProgramName[]

/**
 * How long requests wait for a program that is restarting: more than in Caddy (`deploy/Caddyfile`), for busy machines.
 */
const waitMs = 120_000

const narrationMs = 5 * 60_000

interface Place {
  readonly folder: string
  readonly money: RunningMoney
  readonly payTo: string
  /** Folder of the programs' logs. */
  readonly logs: string
}

/**
 * A live shop as its operator runs it, in a copy of this repository: two site programs on one data folder and the game
 * host, built and started by the commands of `docs/go-live.md`, behind a proxy for each address.
 */
export async function openShop({ folder, money, payTo, logs }: Place, notes: OpenRecord) {
  const { record, second, fail } = notes
  // The cache of drawn pictures; a fresh clone does not have this folder.
  mkdirSync(fileURLToPath(new URL('../../.cache', import.meta.url)), { recursive: true })
  const root = copyRepository(folder)
  const dataDir = join(folder, 'data')
  const env = {
    NODE_ENV: 'production',
    FARTHING_MODE: 'live',
    BASE_URL: 'https://farthing.test',
    GAME_URL: 'https://undercroft.test',
    PAY_TO_ADDRESS: payTo,
    RPC_URL: money.rpcUrl,
    FACILITATOR_URL: money.facilitatorUrl,
    DATA_DIR: dataDir,
    BACKUP_DIR: join(folder, 'backups'),
    TRUSTED_PROXIES: '1',
    PORT: '0',
    GAME_PORT: '0',
    JOBS: 'on',
    NARRATION: 'on',
  }

  /** Runs a command of the shop to its end, or until `patienceMs` have passed. */
  async function run(command: string, patienceMs?: number): Promise<void> {
    const whole = { ...process.env, ...env }
    const known = Object.fromEntries(Object.entries(whole).flatMap(([name, value]) => (value ? [[name, value]] : [])))
    let isOverdue = false
    let timer: NodeJS.Timeout | undefined
    const { status, stderr } = await runProgram(process.execPath, [command], {
      cwd: root,
      env: known,
      onStart(child) {
        if (patienceMs === undefined) return
        timer = setTimeout(() => {
          isOverdue = true
          child.kill('SIGTERM')
        }, patienceMs)
      },
    })
    clearTimeout(timer)
    if (status !== 0 && !isOverdue) throw new Error(`${command} ended with ${status}: ${stderr.slice(-2000)}`)
  }

  async function start(name: ProgramName, life: number) {
    const options = {
      ...money,
      dataDir,
      root,
      env: { ...env, ...(name === 'game' ? gameMemory : { ...smallMemory, NODE_OPTIONS: smallYoungGeneration }) },
      program: programs[name],
      build: join(root, '.build/current'),
    }
    const running = await startSite(options)
    const readLog = makeLogReader(join(logs, `${name}-${life}.log`), running.output)
    const { pid } = running.child
    return { name, life, running, readLog, callOffGuard: pid === undefined ? () => {} : stopWithParent(pid) }
  }
  type Started = Awaited<ReturnType<typeof start>>

  async function stop({ name, life, running, readLog, callOffGuard }: Started): Promise<void> {
    await running.kill('SIGTERM')
    callOffGuard()
    const { exitCode, signalCode } = running.child
    if (exitCode !== 0) fail(`${name}, life ${life}, ended with ${exitCode ?? signalCode}`)
    for (const what of readLog()) fail(`${name} said: ${what}`)
  }

  const build = () => run('src/commands/build.ts')
  await build()
  // Most narrations are made before the load begins, because the test is about memory afterwards. On a busy machine
  // they take long; the site makes the missing ones itself.
  await run('src/commands/narrate.ts', narrationMs)
  const started = {
    'site-1': await start('site-1', 1),
    'site-2': await start('site-2', 1),
    game: await start('game', 1),
  }
  const sitePorts = () => [started['site-1'].running.port, started['site-2'].running.port]
  const front = await startTurns(sitePorts(), waitMs)
  const gameFront = await startTurns([started.game.running.port], waitMs)

  return {
    root,
    dataDir,
    fronts: { site: front.port, game: gameFront.port },
    build,
    sitePorts,
    gamePort: () => started.game.running.port,
    /** The present processes. */
    processes: () =>
      programNames.map((name) => ({ program: name, life: started[name].life, pid: started[name].running.child.pid })),
    async restart(name: ProgramName): Promise<void> {
      const from = performance.now()
      await stop(started[name])
      const stopped = performance.now()
      started[name] = await start(name, started[name].life + 1)
      front.use(sitePorts())
      gameFront.use([started.game.running.port])
      const times = { stopMs: Math.round(stopped - from), startMs: Math.round(performance.now() - stopped) }
      record.restarts.push({ second: second(), program: name, ...times })
    },
    /** Stores the new output of the programs, and records the problems in it. */
    readLogs(): void {
      for (const name of programNames) for (const what of started[name].readLog()) fail(`${name} said: ${what}`)
    },
    async close(): Promise<void> {
      front.close()
      gameFront.close()
      await Promise.all(programNames.map((name) => stop(started[name])))
    },
  }
}

export type Shop = Awaited<ReturnType<typeof openShop>>
