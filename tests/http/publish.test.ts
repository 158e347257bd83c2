import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { announceBuild } from '../../src/storage/announced-build.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { pruneBuilds } from '../../src/storage/build-pins.ts'
import { toPreviewPath } from '../../src/storage/preview-link.ts'
import { lastingUrls, makeAlteredBuilds } from '../support/altered-builds.ts'
import { expectBalanced } from '../support/books.ts'
import { type FaultyFacilitator, startFaultyFacilitator } from '../support/faulty-facilitator.ts'
import { fund } from '../support/hostile-wallets.ts'
import { inspected, openMemory } from '../support/inspected-memory.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { insist, type Purchase, send, signForCatalog, signForSkill } from '../support/patient-buyer.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'
import { signPayment } from '../support/signed-payments.ts'
import { streamRequests } from '../support/stream-requests.ts'

const builds = makeAlteredBuilds()
const skill = 'x402-seller'
let first: string
let asset: string
let money: RunningMoney
let facilitator: FaultyFacilitator
let site: RunningSite

beforeAll(async () => {
  first = builds.add('first')
  asset = lastingUrls(first).find((url) => url.endsWith('.css')) ?? ''
  money = await startMoney()
  facilitator = await startFaultyFacilitator({ upstreamUrl: money.facilitatorUrl })
})
afterAll(async () => {
  await facilitator.close()
  await money.stop()
  builds.remove()
})

let before: number
let bought: Purchase[]
async function startFirst(env: Readonly<Record<string, string>> = {}): Promise<void> {
  bought = []
  before = (await money.transfersTo()).length
  facilitator.always = {}
  site = await startSite({ facilitatorUrl: facilitator.url, rpcUrl: money.rpcUrl, build: first, env })
}
async function stopSite(): Promise<void> {
  await site.kill('SIGTERM')
  rmSync(site.dataDir, { recursive: true })
}

const sign = async (): Promise<Purchase> => {
  const purchase = await signForCatalog()
  bought.push(purchase)
  return purchase
}
const said = (event: string): number => site.output().split(`"event":"${event}"`).length - 1

/** Announces a build, and waits until the site has taken or refused it. */
async function announce(folder: string): Promise<void> {
  const answers = said('build.taken') + said('build.refused')
  await announceBuild(site.dataDir, folder)
  await expect.poll(() => said('build.taken') + said('build.refused')).toBe(answers + 1)
}

const openFiles = (): string[] =>
  readdirSync(`/proc/${site.child.pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${site.child.pid}/fd/${fd}`)]
    } catch {
      // Closed in the meantime.
      return []
    }
  })
const hasOpen = (folder: string): boolean => openFiles().includes(buildFiles(folder).search)

const statusOf = async (path: string): Promise<number> => (await site.fetch(path)).status
const findPosts = async (word: string): Promise<string> => (await site.fetch(`/api/search.json?q=${word}`)).text()

describe('a build that is announced while the site runs', () => {
  beforeEach(() => startFirst())
  afterEach(stopSite)

  it('is taken over without a failed request or a lost purchase, three times in a row', async () => {
    facilitator.always = { settle: { slowMs: 700 } }
    const stream = streamRequests(site.port, skill)
    const buying = [insist(await sign(), site.port), insist(await sign(), site.port)]
    for (const [name, post] of [
      ['second', 'newspost'],
      ['third', 'laterpost'],
      ['fourth', 'lastpost'],
    ] as const) {
      expect(await statusOf(`/posts/${post}`)).toBe(404)
      const [one, two] = [await sign(), await sign()]
      buying.push(insist(one, site.port), insist(two, site.port))
      await announce(builds.add(name, { post, ...(name !== 'second' && { without: asset }) }))
      expect(await statusOf(`/posts/${post}`)).toBe(200)
      expect(await findPosts(post)).toContain(`/posts/${post}`)
      buying.push(insist(await sign(), site.port))
      // A page that uses it may still be open in a browser.
      expect((await site.fetch(asset)).headers.get('cache-control')).toContain('immutable')
      await expect.poll(() => stream.asked()).toBeGreaterThan(300)
    }
    expect(await Promise.all(buying)).toEqual(buying.map(() => 'delivered'))
    expect(await stream.stop()).toEqual([])
    expect([said('build.taken'), said('build.refused'), said('server.error')]).toEqual([3, 0, 0])
    await expectBalanced(site.dataDir, money, bought, before)
    // A build that nothing uses any more is closed.
    const folder = join(first, '..')
    await expect.poll(() => [hasOpen(first), hasOpen(join(folder, 'third'))]).toEqual([false, false])
    expect(hasOpen(join(folder, 'fourth'))).toBe(true)
    // The program and its workers may come from the first build, even if nothing reads its texts any more.
    await pruneBuilds(folder)
    expect(existsSync(buildFiles(first).programs)).toBe(true)
  })

  it('sells its own texts, and the old ones to buyers who began before', async () => {
    const old = readFileSync(join(buildFiles(first).privateTexts, `skill-${skill}.md`), 'utf8')
    const next = builds.add('reworded', { skill: { slug: skill, text: 'reworded' } })
    facilitator.faults.verify.push({ slowMs: 4000 })
    const { header } = await signForSkill(skill)
    const slow = site.fetch(`/skills/${skill}/raw`, { headers: { 'payment-signature': header } })
    await expect.poll(() => facilitator.calls.verify).toBeGreaterThan(0)
    await announce(next)
    // Another wallet, because the first one would own an earlier text of the skill.
    const privateKey = `0x${'7'.repeat(64)}` as const
    await fund(money.rpc, privateKeyToAccount(privateKey).address, 1_000_000n)
    const signed = await signPayment({ amount: 100_000n, payTo: sandboxPayTo, token: 'a', privateKey })
    const later = { headers: { 'payment-signature': signed.header } }
    expect(await (await site.fetch(`/skills/${skill}/raw`, later)).text()).toBe('reworded')
    // The search index of the first build stays open as long as a request of that build is in flight.
    expect(hasOpen(first)).toBe(true)
    expect(await (await slow).text()).toBe(old)
    await expect.poll(() => hasOpen(first)).toBe(false)
    // An earlier purchase is delivered again from the ledger.
    const again = await site.fetch(`/skills/${skill}/raw`, { headers: { 'payment-signature': header } })
    expect(await again.text()).toBe(old)
    expect(await money.transfersTo()).toHaveLength(before + 2)
  })
})

it('a game host keeps the build that it was started with for as long as it lives', async () => {
  const beside = makeAlteredBuilds()
  const build = beside.add('played')
  const game = await startSite({
    ...{ facilitatorUrl: facilitator.url, rpcUrl: money.rpcUrl, build, program: 'game-server/host/main.ts' },
    env: { GAME_PORT: '0' },
  })
  for (const name of ['after', 'after-that']) beside.add(name)
  await pruneBuilds(join(build, '..'))
  expect(existsSync(build)).toBe(true)
  await game.kill('SIGTERM')
  await pruneBuilds(join(build, '..'))
  expect(existsSync(build)).toBe(false)
  rmSync(game.dataDir, { recursive: true })
  beside.remove()
})

describe('builds that follow each other', () => {
  beforeEach(() => startFirst({ NODE_OPTIONS: inspected }))
  afterEach(stopSite)

  it('leave nothing behind in memory', async () => {
    const memory = await openMemory(site.output())
    const takeFour = async (turn: string): Promise<number> => {
      for (const name of ['a', 'b', 'c', 'd']) {
        await announce(builds.add(`${turn}-${name}`, { post: name }))
        expect(await statusOf('/stats')).toBe(200)
      }
      return memory.heldBytes()
    }
    const before = await takeFour('one')
    expect((await takeFour('two')) - before).toBeLessThan(4e6)
    expect([said('build.taken'), said('build.refused')]).toEqual([8, 0])
    memory.close()
  })
})

describe('a build that cannot be taken', () => {
  // One site for all of them, because a refused build leaves nothing behind.
  let announced = 0
  beforeAll(() => startFirst())
  afterAll(stopSite)

  const broken: [string, () => string, RegExp][] = [
    ['was made for another wallet', () => builds.add('wallet', { facts: { payTo: `0x${'a'.repeat(40)}` } }), /payTo/],
    ['was made of other code', () => builds.add('code', { facts: { program: 'other' } }), /restart the program/],
    ['cannot be loaded', () => breakFile('entry', (folder) => buildFiles(folder).entry, '!'), /SyntaxError/],
    [
      'has a damaged index',
      () => breakFile('index', (folder) => buildFiles(folder).search, 'no database'),
      /not a database/,
    ],
    ['is not there', () => join(first, '../nowhere'), /no finished build|ENOENT/],
  ]
  function breakFile(name: string, toFile: (folder: string) => string, text: string): string {
    const folder = builds.add(name, { post: 'never' })
    writeFileSync(toFile(folder), text)
    return folder
  }

  it.each(broken)('because it %s is refused, and the build before it is served on', async (_, make, reason) => {
    const folder = make()
    await announce(folder)
    announced += 1
    expect([said('build.taken'), said('build.refused')]).toEqual([0, announced])
    expect(site.output().trimEnd().split('\n').at(-1)).toMatch(reason)
    expect([await statusOf('/'), await statusOf('/posts/never')]).toEqual([200, 404])
    expect([hasOpen(first), hasOpen(folder)]).toEqual([true, false])
    expect(await send(await sign(), site.port)).toBe('delivered')
  })

  const findBuild = async () => {
    const { findings } = (await (await site.fetch('/readyz')).json()) as { findings: { name: string; is: string }[] }
    return findings.find(({ name }) => name === 'build')?.is
  }

  it('is reported by /readyz and /status, until another one is served', async () => {
    // A worse result is only reported after it was found three times.
    await expect.poll(findBuild).toBe('warning')
    expect(await (await site.fetch('/status.md')).text()).toContain('The newest build was refused')
    await announce(builds.add('mended', { post: 'mended' }))
    expect(await statusOf('/posts/mended')).toBe(200)
    await expect.poll(findBuild).toBe('ok')
  })

  it('is reported as well if its announcement cannot be read', async () => {
    writeFileSync(join(site.dataDir, 'published/build.json'), '{')
    await expect.poll(findBuild).toBe('warning')
    await announce(builds.add('legible', { post: 'legible' }))
    await expect.poll(findBuild).toBe('ok')
  })
})

it('shows a draft only under its secret link', async () => {
  const build = builds.add('drafted', { draft: 'secret-plans' })
  site = await startSite({ facilitatorUrl: facilitator.url, rpcUrl: money.rpcUrl, build })
  const secret = readFileSync(join(site.dataDir, 'preview.key'), 'utf8').trim()
  const path = toPreviewPath(secret, 'secret-plans')
  const shown = await site.fetch(path)
  const headers = ['content-type', 'cache-control', 'x-robots-tag'].map((name) => shown.headers.get(name))
  expect([shown.status, ...headers]).toEqual([
    ...[200, 'text/html; charset=utf-8', 'private, no-store', 'noindex, nofollow'],
  ])
  expect(shown.headers.get('content-security-policy')).toContain("script-src 'self'")
  expect(await shown.text()).toContain('secret-plans')
  const others = ['/previews/secret-plans', `${path}a`, path.replace('plans', 'plan'), '/posts/secret-plans']
  expect(await Promise.all(others.map(statusOf))).toEqual(others.map(() => 404))
  await stopSite()
})
