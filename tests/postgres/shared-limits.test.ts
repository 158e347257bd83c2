import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareLimits } from '../../src/http/share-limits.ts'
import { openTwoShops } from '../support/two-shops.ts'

/** The limits have their usual size, but time restores next to nothing of them during a test. */
const perSecond = 1e-6
const limits = {
  free: { perSecond, burst: 200 },
  quotes: { perSecond, burst: 100 },
  'failed-payments': { perSecond, burst: 30 },
}

const open = (both: Awaited<ReturnType<typeof openTwoShops>>, at: 0 | 1) => {
  const reports: unknown[] = []
  const { uses } = both.shops[at].siblings
  const report = (error: unknown) => reports.push(error)
  return { ...shareLimits({ exemptsLoopback: true, now: () => 0, uses, limits, report }), reports, uses }
}

let both: Awaited<ReturnType<typeof openTwoShops>>
let here: ReturnType<typeof open>
let there: ReturnType<typeof open>
beforeAll(async () => {
  both = await openTwoShops()
  here = open(both, 0)
  there = open(both, 1)
})
afterAll(() => both?.close())

let addresses = 0
const nextAddress = () => `203.0.113.${++addresses}`
const leftOf = (limits: ReturnType<typeof open>, address: string, name: 'free' | 'quotes'): number =>
  Number(/;r=(\d+)/.exec(limits.limits.look(address, name)?.headers.ratelimit ?? '')?.[1])

describe('limits of two programs', () => {
  it('are one limit once each program has told the other', async () => {
    const address = nextAddress()
    here.limits.take(address, 'free', 200)
    await here.close()
    expect(leftOf(there, address, 'free')).toBe(200)
    there.limits.take(address, 'free', 10)
    // No request is needed for that.
    await expect.poll(() => there.limits.look(address, 'free')?.waitMs).toBeGreaterThan(0)
    expect([here.reports, there.reports]).toEqual([[], []])
  })

  it('make an address wait for what both admitted before they knew of each other', async () => {
    const address = nextAddress()
    for (const { limits } of [here, there]) expect(limits.take(address, 'quotes', 100)?.waitMs).toBe(0)
    await Promise.all([here.close(), there.close()])
    const toWait = (missing: number) => Math.ceil((missing * 1000) / perSecond)
    const waits = [here, there].map(({ limits: of }) => of.look(address, 'quotes')?.waitMs ?? 0)
    // The program that reported last knows of the hundred requests too many, and of the next one.
    expect(Math.max(...waits) / toWait(101)).toBeCloseTo(1, 4)
  })

  it('count failed payments of an address at once, and no more of them than twice the limit', async () => {
    const address = nextAddress()
    for (let times = 0; times < 20; times++) here.limits.charge(address, 'failed-payments', 5)
    await here.close()
    expect(there.limits.look(address, 'failed-payments')?.waitMs).toBe(0)
    await there.hear(address)
    const waitMs = there.limits.look(address, 'failed-payments')?.waitMs ?? 0
    // The limit is thirty, at most thirty more are held against an address, and one is the next payment.
    expect((waitMs * perSecond) / 1000).toBeCloseTo(31, 4)
  })

  it('are not told of readers with few requests, nor of this machine', async () => {
    const address = nextAddress()
    here.limits.take(address, 'free', 9)
    here.limits.take('127.0.0.1', 'free', 1000)
    await here.close()
    expect(await there.uses.find(address, 'free')).toBe(0)
    here.limits.take(address, 'free', 1)
    await here.close()
    expect(await there.uses.find(address, 'free')).toBeGreaterThan(0)
  })
})

it('shared limits count every use when both programs report the same clients at once, in any order', async () => {
  const clients = Array.from({ length: 150 }, (_, at) => `client ${at}`)
  const toUses = (of: readonly string[]) =>
    of.map((client) => ({ client, name: 'free' as const, used: 1, perSecond: 0, most: 1000 }))
  const rounds = Array.from({ length: 20 }, (_, round) => round)
  const [last] = await Promise.all([
    Promise.all(rounds.map(() => here.uses.add(toUses(clients)))),
    Promise.all(rounds.map(() => there.uses.add(toUses(clients.toReversed())))),
  ])
  expect(last).toHaveLength(rounds.length)
  const sums = await Promise.all(clients.map((client) => here.uses.find(client, 'free')))
  expect(new Set(sums)).toEqual(new Set([2 * rounds.length]))
})

it('shared limits forget clients to which everything was restored, and no others', async () => {
  const use = { name: 'free' as const, used: 5, most: 1000 }
  await here.uses.add([
    { ...use, client: 'paid off', perSecond: 1_000_000 },
    { ...use, client: 'owes', perSecond: 0 },
  ])
  const told = { ...use, used: 0, perSecond: 0 }
  await here.uses.forget()
  expect(
    await here.uses.add([
      { ...told, client: 'paid off' },
      { ...told, client: 'owes' },
    ]),
  ).toEqual([0, 5])
})

it('shared limits go on alone while the database is away, report it once, and are shared again when it is back', async () => {
  const lost = await openTwoShops()
  const [near, far] = [open(lost, 0), open(lost, 1)]
  lost.way.refuse(true)
  lost.way.cut()
  const address = nextAddress()
  for (let times = 0; times < 3; times++) {
    far.limits.charge(address, 'failed-payments', 20)
    await far.close()
    await far.hear(address)
  }
  expect(far.limits.look(address, 'failed-payments')?.waitMs).toBeGreaterThan(0)
  expect(far.reports).toHaveLength(1)
  lost.way.refuse(false)
  near.limits.charge(address, 'failed-payments', 60)
  await near.close()
  const other = nextAddress()
  far.limits.charge(other, 'failed-payments', 60)
  await far.close()
  await near.hear(other)
  expect(near.limits.look(other, 'failed-payments')?.waitMs).toBeGreaterThan(0)
  expect(far.reports).toHaveLength(1)
  await lost.close()
})
