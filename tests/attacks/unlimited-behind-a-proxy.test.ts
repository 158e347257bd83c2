import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { buildWith } from '../support/build-elsewhere.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'

const baseUrl = testBaseUrl.replace('http:', 'https:')

/** A wallet that live mode accepts. */
const livePayTo = '0x5115115115115115115115115115115115115115'
/** More requests at once for something free than one address may send. */
const flood = 600

/** The settings that the README says to set before `npm start` in live mode. */
function readmeSettings(): Map<string, string> {
  const readme = readFileSync(fileURLToPath(new URL('../../README.md', import.meta.url)), 'utf8')
  const [, lines = ''] = /## Go live\n\n```sh\n([\s\S]*?)npm start/.exec(readme) ?? []
  return new Map([...lines.matchAll(/^(\w+)=(\S+) \\$/gm)].map(([, name = '', value = '']) => [name, value]))
}

const site = { program: 'src/site/main.ts', path: '/api/search.json?q=lantern' }
const game = { program: 'game-server/host/main.ts', path: '/api/live' }
const names = ['site', 'game host'] as const
type Name = (typeof names)[number]

let money: RunningMoney
let build: ReturnType<typeof buildWith>
/** Programs with the settings of the README; `undeclared` lacks the one that declares the proxy. */
let byReadme: Record<Name, RunningSite>
let undeclared: Record<Name, RunningSite>
beforeAll(async () => {
  money = await startMoney()
  build = buildWith({ mode: 'live', payTo: livePayTo, baseUrl })
  const start = async (changes: Readonly<Record<string, string>>) => {
    const [one, other] = await Promise.all([startLive(site.program, changes), startLive(game.program, changes)])
    return { site: one, 'game host': other }
  }
  byReadme = await start({})
  undeclared = await start({ TRUSTED_PROXIES: '' })
})
afterAll(async () => {
  await Promise.all([byReadme, undeclared].flatMap((programs) => names.map((name) => programs[name].kill())))
  build.remove()
  await money.stop()
})

/**
 * Starts a program in live mode with the README's settings. As behind a local proxy, all callers come from loopback.
 */
function startLive(program: string, changes: Readonly<Record<string, string>>): Promise<RunningSite> {
  const settings = {
    ...Object.fromEntries(readmeSettings()),
    BASE_URL: baseUrl,
    PAY_TO_ADDRESS: livePayTo,
  }
  const { FACILITATOR_URL: _, RPC_URL: __, ...env } = { FACILITATOR_URL: '', RPC_URL: '', ...settings }
  return startSite({ ...money, program, build: build.folder, env: { ...env, GAME_PORT: '0', ...changes } })
}

/** The statuses of simultaneous requests that come as a proxy on this machine passes them on. */
async function ask({ port }: RunningSite, path: string, caller: string, count: number): Promise<number[]> {
  const headers = { 'x-forwarded-for': caller }
  const one = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    await answer.arrayBuffer()
    return answer.status
  }
  return Promise.all(Array.from({ length: count }, one))
}

const countRefused = (statuses: readonly number[]): number => statuses.filter((status) => status === 429).length
const notesOf = (program: RunningSite): string[] =>
  program
    .output()
    .split('\n')
    .filter((line) => line.includes('X-Forwarded-For'))

/** Asks the game host for a WebSocket; the status is 101, or that of the refusal. */
function upgrade({ port }: RunningSite, caller: string): Promise<{ status: number; close: () => void }> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { 'x-forwarded-for': caller } })
  return new Promise((resolve) => {
    socket.on('open', () => resolve({ status: 101, close: () => socket.terminate() }))
    socket.on('unexpected-response', (_, { statusCode = 0 }) => resolve({ status: statusCode, close: () => {} }))
    socket.on('error', () => {})
  })
}

const paths: Record<Name, string> = { site: site.path, 'game host': game.path }

describe.each(names)('the %s, live behind a proxy on the same machine', (name) => {
  const path = paths[name]

  it('limits a caller whatever it puts before its address in X-Forwarded-For, and serves everybody else', async () => {
    const live = byReadme[name]
    const statuses = await ask(live, path, '127.0.0.1, 203.0.113.9', flood)
    expect(countRefused(statuses)).toBeGreaterThan(0)
    expect(await ask(live, path, '203.0.113.10', 1)).toEqual([200])
    expect(notesOf(live)).toEqual([])
  })

  it('counts an IPv6 household as one caller however its addresses are written, and what is no address as the proxy', async () => {
    const live = byReadme[name]
    const hosts = ['2001:db8:7:7::1', '[2001:db8:7:7::2]:4711', '[2001:0db8:0007:0007:ffff::3]', '2001:db8:7:7::4%x']
    const statuses = await Promise.all(hosts.map((host) => ask(live, path, host, flood / hosts.length)))
    expect(countRefused(statuses.flat())).toBeGreaterThan(0)
    const hidden = Array.from({ length: flood }, (_, at) => `unknown-${at}-${'x'.repeat(500)}`)
    expect(countRefused((await Promise.all(hidden.map((each) => ask(live, path, each, 1)))).flat())).toBeGreaterThan(0)
  })

  it('has limits without TRUSTED_PROXIES as well, and says once that it should be set', async () => {
    const live = undeclared[name]
    const callers = Array.from({ length: flood }, (_, at) => `198.51.100.${at % 250}`)
    const statuses = (await Promise.all(callers.map((caller) => ask(live, path, caller, 1)))).flat()
    expect(countRefused(statuses)).toBeGreaterThan(0)
    await expect.poll(() => notesOf(live)).toHaveLength(1)
    expect(notesOf(live)[0]).toContain('TRUSTED_PROXIES')
    expect(live.output()).not.toContain('198.51.100.')
  })
})

it('opens at most five sockets of the game for each caller behind the proxy', async () => {
  const live = byReadme['game host']
  const opened = []
  for (let at = 0; at < 7; at++) opened.push(await upgrade(live, '203.0.113.9'))
  expect(opened.map(({ status }) => status)).toEqual([101, 101, 101, 101, 101, 429, 429])
  const other = await upgrade(live, '203.0.113.10')
  expect(other.status).toBe(101)
  for (const { close } of [...opened, other]) close()
})
