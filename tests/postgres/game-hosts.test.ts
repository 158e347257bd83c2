import { setTimeout as delay } from 'node:timers/promises'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Hosts, openHosts } from '../../game-server/hosts/hosts.ts'
import type { RealmTable } from '../../game-server/storage/game-schema.ts'
import { type GameDatabase, openGameDatabase } from '../../game-server/storage/open-game-database.ts'
import { makeDeadOwner } from '../support/dead-owner.ts'
import { makeDatabase } from '../support/test-databases.ts'

const minuteMs = 60_000
let db: GameDatabase
let hosts: Hosts
const troubles: unknown[] = []

beforeAll(async () => {
  db = await openGameDatabase('', await makeDatabase())
})
afterAll(async () => {
  await db?.destroy()
})
beforeEach(async () => {
  for (const table of ['host', 'claim', 'seat', 'realm'] as const) await db.deleteFrom(table).execute()
  troubles.length = 0
  hosts = await openHosts({ db, report: (error) => troubles.push(error) })
})
afterEach(async () => {
  await hosts.close()
  expect(troubles).toEqual([])
})

/** Adds another host to the table. Nothing else is known of its machine. */
async function addHost(id: string, { leftMs = minuteMs, address = `http://${id}.test` } = {}): Promise<void> {
  await db
    .insertInto('host')
    .values({ id, address, until: Date.now() + leftMs })
    .execute()
}

async function addRealm(id: string, facts: Partial<RealmTable> = {}): Promise<void> {
  const nothing = { event: null, closed_at: null, frozen_at: null, unreadable_at: null, owner: null }
  await db
    .insertInto('realm')
    .values({ id, mode: 'open', seed: 's', rules: 1, opened_at: 1, fence: 0, ...nothing, ...facts })
    .execute()
}

const ownerOf = async (id: string) =>
  db.selectFrom('realm').select(['owner', 'fence', 'frozen_at']).where('id', '=', id).executeTakeFirstOrThrow()

/** A new host takes no other host for dead before that has had time to renew its lease. */
const becomeSettled = () => delay(2100)

describe('a realm', () => {
  it('is not taken from a living host, and from a dead one only after hosts had time to renew their leases', async () => {
    await addHost('living')
    await addHost('silent', { leftMs: -1 })
    await addRealm('theirs', { owner: 'living', fence: 4 })
    await addRealm('left', { owner: 'silent', fence: 4, frozen_at: 7 })
    await addRealm('of a host that is gone', { owner: 'nobody knows', fence: 1 })
    expect(await hosts.take('theirs')).toEqual({ is: 'elsewhere', address: 'http://living.test' })
    expect(await hosts.take('left')).toEqual({ is: 'elsewhere', address: 'http://silent.test' })
    await becomeSettled()
    expect(await hosts.take('theirs')).toEqual({ is: 'elsewhere', address: 'http://living.test' })
    expect(await hosts.take('left')).toEqual({ is: 'taken', fence: 5 })
    expect(await ownerOf('left')).toEqual({ owner: hosts.id, fence: 5, frozen_at: null })
    expect(await hosts.take('of a host that is gone')).toEqual({ is: 'taken', fence: 2 })
    expect(await ownerOf('theirs')).toMatchObject({ owner: 'living', fence: 4 })
  })

  it('is not taken by a host that could not renew its own lease, before the others had time to renew theirs', async () => {
    await addHost('silent', { leftMs: -1 })
    await addRealm('left', { owner: 'silent' })
    await becomeSettled()
    await db.transaction().execute(async (tx) => {
      await sql`lock table host in access exclusive mode`.execute(tx)
      await delay(2700)
    })
    expect(await hosts.take('left')).toEqual({ is: 'elsewhere', address: 'http://silent.test' })
    await becomeSettled()
    expect(await hosts.take('left')).toEqual({ is: 'taken', fence: 1 })
  })

  it('is taken from a dead host even if the reply to an earlier lease comes after that to a later one', async () => {
    const { promise: comes, resolve: letReplyCome } = Promise.withResolvers<void>()
    let isToBeHeld: unknown
    const plugin: KyselyPlugin = {
      transformQuery: ({ node, queryId }) => {
        if (node.kind === 'InsertQueryNode' && isToBeHeld === 'the next') isToBeHeld = queryId
        return node
      },
      transformResult: async ({ result, queryId }) => {
        if (queryId === isToBeHeld) await comes
        return result
      },
    }
    await addHost('silent', { leftMs: -1 })
    await addRealm('left', { owner: 'silent' })
    await hosts.close()
    hosts = await openHosts({ db: db.withPlugin(plugin), report: (error) => troubles.push(error) })
    isToBeHeld = 'the next'
    for (let halfSeconds = 0; halfSeconds < 6; halfSeconds++) {
      await delay(500)
      await hosts.beLeased()
    }
    letReplyCome()
    await delay(1000)
    expect(typeof isToBeHeld).toBe('object')
    expect(await hosts.take('left')).toEqual({ is: 'taken', fence: 1 })
  })

  it('is taken at once if no host has it, if this host has it, and if its host died on this machine', async () => {
    const dead = makeDeadOwner()
    await addHost(dead)
    await addRealm('free')
    await addRealm('left behind', { owner: dead })
    expect(await hosts.take('free')).toEqual({ is: 'taken', fence: 1 })
    expect(await hosts.take('free')).toEqual({ is: 'taken', fence: 2 })
    await expect.poll(() => hosts.take('left behind')).toEqual({ is: 'taken', fence: 1 })
    const row = await db.selectFrom('host').select('until').where('id', '=', dead).executeTakeFirst()
    expect(row?.until ?? 0).toBe(0)
  })

  it('is taken by a host that starts from one that died on this machine before', async () => {
    const dead = makeDeadOwner()
    await addHost(dead)
    await addRealm('left behind', { owner: dead })
    const next = await openHosts({ db, report: (error) => troubles.push(error) })
    const known = await db.selectFrom('host').select('id').where('until', '>', 0).execute()
    expect(known.map(({ id }) => id)).toContain(next.id)
    expect(await next.take('left behind')).toEqual({ is: 'taken', fence: 1 })
    await next.close()
  })

  it('is over for every host once it is closed', async () => {
    await addHost('living')
    await addRealm('free', { closed_at: 1 })
    await addRealm('theirs', { owner: 'living', closed_at: 1 })
    expect([await hosts.take('free'), await hosts.take('theirs'), await hosts.take('none')]).toEqual(
      Array.from({ length: 3 }, () => ({ is: 'over' })),
    )
  })

  it('is listed as abandoned if a dead host had it in memory, under rules that are known here', async () => {
    await addHost('living')
    await addHost('silent', { leftMs: -1 })
    await addRealm('nobodys')
    await addRealm('left', { owner: 'silent', rules: 2 })
    await addRealm('theirs', { owner: 'living' })
    await addRealm('own', { owner: hosts.id })
    await addRealm('closed', { owner: 'silent', closed_at: 1 })
    await addRealm('at rest', { owner: 'silent', frozen_at: 1 })
    await addRealm('by later rules', { owner: 'silent', rules: 3 })
    const found = async () => (await hosts.abandoned([1, 2])).map(({ id }) => id).toSorted()
    expect(await found()).toEqual(['nobodys'])
    await becomeSettled()
    expect(await found()).toEqual(['left', 'nobodys'])
    await Promise.all(Array.from({ length: 30 }, (_, at) => addRealm(`more ${at}`)))
    expect(await found()).toHaveLength(20)
  })
})

describe('an account', () => {
  it('is claimed by one host at a time, which releases it whatever comes of its work', async () => {
    await addHost('living')
    const claimed = async () => (await db.selectFrom('claim').select(['account', 'host']).execute())[0]
    expect(await hosts.claim('ada', claimed)).toEqual({ account: 'ada', host: hosts.id })
    expect(await claimed()).toBeUndefined()
    const failing = hosts.claim('ada', async () => {
      throw new Error('no room')
    })
    await expect(failing).rejects.toThrow('no room')
    expect(await claimed()).toBeUndefined()
    await db.insertInto('claim').values({ account: 'ada', host: 'living' }).execute()
    expect(await hosts.claim('ada', async () => 'begun')).toBeUndefined()
    expect(await claimed()).toEqual({ account: 'ada', host: 'living' })
    const waiting = hosts.claim('ada', async () => 'begun')
    await delay(200)
    await db.deleteFrom('claim').execute()
    expect(await waiting).toBe('begun')
  })

  it('is claimed in place of a host that died while it had the claim', async () => {
    await addHost('silent', { leftMs: -1 })
    await db.insertInto('claim').values({ account: 'ada', host: 'silent' }).execute()
    await becomeSettled()
    expect(await hosts.claim('ada', async () => 'begun')).toBe('begun')
  })

  it('is found where its newest life goes on, if another host that lives has it', async () => {
    const seat = async (realm: string, joinedAt: number, isOver = 0): Promise<void> => {
      const who = { account: 'ada', name: 'Ada', kind: 'agent' as const, player: 1 }
      const paid = { paid_depth: 0, credits: 0, told_at: null }
      await db
        .insertInto('seat')
        .values({ realm, ...who, ...paid, joined_at: joinedAt, is_over: isOver })
        .execute()
    }
    const place = () => hosts.findPlace('ada')
    for (const id of ['one', 'two']) await addHost(id)
    await addHost('silent', { leftMs: -1 })
    expect(await place()).toBeUndefined()
    await addRealm('own', { owner: hosts.id })
    await seat('own', 9)
    await addRealm('dead', { owner: 'silent' })
    await seat('dead', 8)
    await addRealm('closed', { owner: 'one', closed_at: 1 })
    await seat('closed', 7)
    await addRealm('lost', { owner: 'one' })
    await seat('lost', 6, 1)
    expect(await place()).toBeUndefined()
    await addRealm('older', { owner: 'one' })
    await seat('older', 4)
    expect(await place()).toBe('http://one.test')
    await addRealm('newer', { owner: 'two' })
    await seat('newer', 5)
    expect(await place()).toBe('http://two.test')
    expect(await hosts.findPlace('bo')).toBeUndefined()
  })
})

describe('the other hosts', () => {
  it('are those that live and listen', async () => {
    for (const id of ['one', 'two']) await addHost(id)
    await addHost('silent', { leftMs: -1 })
    await addHost('beginning', { address: '' })
    await hosts.listensAt('http://own.test')
    expect((await hosts.others()).toSorted()).toEqual(['http://one.test', 'http://two.test'])
  })

  it('are found by their marks until they close', async () => {
    const other = await openHosts({ db, report: (error) => troubles.push(error) })
    await other.listensAt('http://other.test')
    expect(other.mark).toMatch(/^[0-9a-f]{12}$/)
    expect(await hosts.findByMark(other.mark)).toBe('http://other.test')
    expect([await hosts.findByMark(hosts.mark), await hosts.findByMark('000000000000')]).toEqual([undefined, undefined])
    await other.close()
    expect(await hosts.findByMark(other.mark)).toBeUndefined()
  })

  it('are forgotten once they are dead and have no realm in memory', async () => {
    for (const id of ['with a realm', 'with nothing']) await addHost(id, { leftMs: -1 })
    await addHost('living')
    await addRealm('in memory', { owner: 'with a realm' })
    await addRealm('at rest', { owner: 'with nothing', frozen_at: 1 })
    await addRealm('over', { owner: 'with nothing', closed_at: 1 })
    const known = async () => (await db.selectFrom('host').select('id').execute()).map(({ id }) => id)
    expect(await known()).toContain('with nothing')
    await expect.poll(known).not.toContain('with nothing')
    expect(await known()).toEqual(expect.arrayContaining(['with a realm', 'living', hosts.id]))
    await hosts.take('in memory')
    await expect.poll(known).not.toContain('with a realm')
  })

  it('know that this one lives as long as it runs, and no longer', async () => {
    const other = await openHosts({ db, report: (error) => troubles.push(error) })
    await addRealm('own', { owner: hosts.id })
    await delay(3000)
    expect(await other.take('own')).toMatchObject({ is: 'elsewhere' })
    await hosts.close()
    expect(await other.take('own')).toEqual({ is: 'taken', fence: 1 })
    await other.close()
    hosts = await openHosts({ db, report: (error) => troubles.push(error) })
  })
})
