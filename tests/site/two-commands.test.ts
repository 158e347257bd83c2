import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { holdGame } from '../../game-server/storage/hold-game.ts'
import { sandboxAccounts, sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { figure } from '../support/figures.ts'
import { findFreePorts } from '../support/free-ports.ts'
import { readLedger } from '../support/read-ledger.ts'
import { sign } from '../support/stock-client.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const dataDir = mkdtempSync(join(tmpdir(), 'farthing-start-'))
let port: number
let started: Program

interface Program {
  child: ChildProcess
  output: () => string
  ended: Promise<number | null>
}

const run = (program: string, args: string[], env: Record<string, string>): Program =>
  runCommand(process.execPath, [join(root, program), ...args], env)

function runCommand(command: string, args: string[], env: Record<string, string>): Program {
  const child = spawn(command, args, {
    cwd: root,
    // A process group of its own can be stopped as a whole.
    detached: true,
    // Vitest sets BASE_URL for its own purposes; an empty setting counts as unset.
    env: {
      ...process.env,
      BASE_URL: '',
      NARRATION: 'off',
      DATA_DIR: dataDir,
      XDG_STATE_HOME: join(dataDir, 'state'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  return { child, output: () => output, ended: once(child, 'exit').then(([code]) => code) }
}

const startOnce = async (program = run('src/commands/start.ts', [], { PORT: String(port) })): Promise<Program> => {
  await new Promise<void>((resolve, reject) => {
    const timer = setInterval(() => {
      if (program.output().includes(`ready http://localhost:${port}`)) resolve()
    }, 20)
    program.ended.then((code) => reject(new Error(`npm start ended with ${code}: ${program.output()}`)), reject)
    setTimeout(() => reject(new Error(`npm start is not ready: ${program.output()}`)), 280_000).unref()
    program.child.on('exit', () => clearInterval(timer))
  })
  return program
}

beforeAll(async () => {
  port = await findFreePorts()
  started = await startOnce()
})
afterAll(() => {
  started?.child.kill('SIGKILL')
})

const get = async (path: string) => (await fetch(`http://localhost:${port}${path}`)).json()

it('starts, prints all addresses, and ends with "ready" and the address', () => {
  expect(started.output().trimEnd().split('\n').at(-1)).toBe(`ready http://localhost:${port}`)
  expect(started.output()).toContain(`npm run buy -- http://localhost:${port}/skills/`)
  const sandbox = JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8'))
  expect(sandbox).toMatchObject({
    baseUrl: `http://localhost:${port}`,
    facilitatorUrl: `http://127.0.0.1:${port + 2}`,
    rpcUrl: `http://127.0.0.1:${port + 3}`,
    chainId: 8453,
    payTo: sandboxPayTo,
  })
})

it('sells a skill to the buying program, which prints it with transaction and receipt', async () => {
  const bought = run('src/buyer/main.ts', [`http://localhost:${port}/skills/x402-seller/raw`], {})
  expect(await bought.ended).toBe(0)
  expect(bought.output()).toContain('# Sell an HTTP resource with x402 v2')
  const receiptId = /receipts\/(r_[0-9a-f]{32})/.exec(bought.output())?.[1]
  expect(await get(`/api/receipts/${receiptId}.json`)).toMatchObject({ amountMicroUsd: '100000', payTo: sandboxPayTo })
  expect(await get('/api/stats.json')).toMatchObject({ totalTransactions: 1 })
})

it('stores files readable by their owner alone', () => {
  const written = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.startsWith('state'),
  )
  expect(written).toEqual(expect.arrayContaining(['owner', 'sandbox.json', 'chain.json', 'ledger.db']))
  const modes = written.flatMap((name) => {
    const stats = statSync(join(dataDir, name), { throwIfNoEntry: false })
    return stats && (stats.mode & 0o077) !== 0 ? [`${name} ${stats.mode.toString(8)}`] : []
  })
  expect(modes).toEqual([])
})

it('sells a skill to the install command in a plain POSIX shell', async () => {
  const script = await (await fetch(`http://localhost:${port}/skills/x402-buyer/install`)).text()
  const { privateKey } = z
    .object({ buyer: z.object({ privateKey: z.string() }) })
    .parse(JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8'))).buyer
  const shell = spawn('sh', ['-s', '--', '--agent', 'claude'], {
    env: {
      PATH: process.env['PATH'],
      HOME: dataDir,
      SKILLS_DIR: join(dataDir, 'skills'),
      XDG_STATE_HOME: join(dataDir, 'state'),
      FARTHING_PRIVATE_KEY: privateKey,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  shell.stdin.end(script)
  let said = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk) => (said += chunk))
  const [code] = await once(shell, 'exit')
  expect([code, said]).toEqual([0, expect.stringContaining('$0.10')])
  expect(readFileSync(join(dataDir, 'skills/x402-buyer/SKILL.md'), 'utf8')).toMatch(/^---\nname: x402-buyer/)
  expect(await get('/api/stats.json')).toMatchObject({ totalTransactions: 2 })
})

it('builds alone, prints one line about it, and announces the build to the running site', async () => {
  const before = Date.now()
  const built = run('src/commands/build.ts', [], { PORT: String(port) })
  expect(await built.ended).toBe(0)
  const [, name] =
    /^([0-9a-f]{24}) for http:\/\/\S+ \(sandbox\) was built before; sites that run on \S+ serve it now, or after a restart if .* has changed\n$/.exec(
      built.output(),
    ) ?? []
  expect(name).toBeDefined()
  expect(JSON.parse(readFileSync(join(dataDir, 'published/build.json'), 'utf8'))).toMatchObject({ build: name })
  // The podcast file for static hosts includes narrations made since the build.
  const podcast = statSync(join(root, '.build', name ?? '', 'client/podcast.xml'))
  expect(podcast.mtimeMs).toBeGreaterThanOrEqual(Math.floor(before))
})

it('refuses a second start on the same data folder in one sentence', async () => {
  const second = run('src/commands/start.ts', [], { PORT: String(port) })
  expect(await second.ended).toBe(1)
  expect(second.output().trimEnd()).toMatch(/^another npm start \(process \d+\) uses .* set DATA_DIR and PORT/)
})

/** The ids of the processes that use our data folder. The chain is given no settings, but the path of its file. */
const findOurs = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8')
      return /^\d+$/.test(pid) && (read('environ').includes(dataDir) || read('cmdline').includes(dataDir))
    } catch {
      return false
    }
  })
const findChain = (): string[] =>
  findOurs().filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(join(dataDir, 'chain.json')))

it('stops everything it started, and keeps sales and money for the next start', async () => {
  expect(findChain()).toHaveLength(1)
  started.child.kill('SIGINT')
  // On Ctrl-C the terminal and npm both send SIGINT.
  started.child.kill('SIGINT')
  expect(await started.ended).toBe(0)
  expect(findOurs()).toEqual([])
  const from = performance.now()
  started = await startOnce()
  console.log(`a start with nothing changed took ${Math.round(performance.now() - from)} ms`)
  expect(await get('/api/stats.json')).toMatchObject({ totalTransactions: 2 })
  expect(started.output()).not.toContain('moved aside')
})

it('sells nothing until the game host is running as well, and stops all processes when one cannot start', async () => {
  started.child.kill('SIGTERM')
  await started.ended
  const site = () => fetch(`http://localhost:${port}/healthz`).then(({ status }) => status)
  const start = () => run('src/commands/start.ts', [], { PORT: String(port) })
  const hold = await holdGame(dataDir)
  const refused = start()
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toContain('the game host does not start: another game host')
  expect(findOurs()).toEqual([])

  hold.leave()
  const waiting = start()
  await expect.poll(waiting.output).toContain('another game host is stopping')
  await expect(site()).rejects.toThrow()
  waiting.child.kill('SIGTERM')
  expect(await waiting.ended).toBe(0)
  expect(waiting.output()).not.toContain('ready')
  expect(findOurs()).toEqual([])
  hold.release()

  const other = createServer().listen(port)
  await once(other, 'listening')
  const shutOut = start()
  expect(await shutOut.ended).toBe(1)
  expect(shutOut.output()).toContain(`port ${port} is taken; set PORT`)
  expect(findOurs()).toEqual([])
  other.close()
})

const ways: [way: string, stop: (npm: number) => void][] = [
  ['npm alone', (npm: number) => process.kill(npm, 'SIGTERM')],
  ['every process of its group, as supervisors do', (npm: number) => process.kill(-npm, 'SIGTERM')],
]
it.each(ways.slice(0, figure(1, ways.length)))(
  'does not cut off a purchase in progress when SIGTERM goes to %s',
  async (way, stop) => {
    started.child.kill('SIGTERM')
    await started.ended
    started = await startOnce(runCommand('npm', ['start'], { PORT: String(port) }))
    const url = `http://localhost:${port}/api/x402/media/narrate`
    const order = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        text: Array.from({ length: 40 }, (_, hour) => `At hour ${hour} a signal goes to ${way}.`).join(' '),
      }),
    }
    const { header } = await sign(url, order, { privateKey: sandboxAccounts.buyer.privateKey })
    const buying = fetch(url, { ...order, headers: { ...order.headers, 'payment-signature': header } })
    await expect.poll(async () => (await readLedger(dataDir)).rows.map(({ state }) => state)).toContain('working')
    stop(started.child.pid ?? 0)
    const bought = await buying
    // On a busy machine the work may exceed its time limit, and then nothing is charged.
    if (bought.status === 503) expect(await bought.json()).toMatchObject({ charged: false })
    else expect([bought.status, (await bought.arrayBuffer()).byteLength > 100_000]).toEqual([200, true])
    await expect.poll(findOurs).toEqual([])
    // A product that was finished too late to be charged is kept for a retry (ready).
    const kept = bought.status === 503 ? ['settled', 'ready'] : ['settled']
    expect((await readLedger(dataDir)).rows.filter(({ state }) => !kept.includes(state))).toEqual([])
  },
)
