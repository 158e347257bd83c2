import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import type { StorageSettings } from '../../src/config/storage-settings.ts'
import { makeStorageCheck } from '../../src/health/check-storage.ts'
import { claimPrefix } from '../../src/storage/objects/claim-prefix.ts'
import type { ObjectStore } from '../../src/storage/objects/object-store.ts'
import { openObjectStore } from '../../src/storage/objects/open-object-store.ts'
import { figure, limitMs, seed } from '../support/figures.ts'
import {
  type ObjectServer,
  type StorageFault,
  type StorageRequest,
  startObjectServer,
} from '../support/object-server.ts'

/** A busy machine is slow; only a hanging request takes this long (ms). */
const patience = { attemptMs: 30_000, withinMs: 60_000 }
/** Short timeouts (ms) for a storage that never answers. */
const hasty = { attemptMs: 500, withinMs: 60_000 }
const shortly = { attemptMs: 200, withinMs: 400 }
const bytes = randomBytes(120_000)

let server: ObjectServer
let store: ObjectStore
const settingsOf = (prefix = 'shop'): StorageSettings => {
  const { storage } = readConfig(server.env(prefix))
  if (!storage) throw new Error('no storage')
  return storage
}

beforeAll(async () => {
  server = await startObjectServer()
  store = openObjectStore(settingsOf(), patience)
})
afterEach(() => server.heal())
afterAll(() => server.stop())

/** Makes the first matching requests fail with this fault, and counts all matching requests. */
function failFirst(times: number, fault: StorageFault, fits: (request: StorageRequest) => boolean = () => true) {
  const met = { count: 0 }
  server.fail((request) => {
    if (!fits(request)) return undefined
    met.count += 1
    return met.count <= times ? fault : undefined
  })
  return met
}

const listAll = async (start: string) => (await Array.fromAsync(store.list(start))).map(({ key }) => key)
const isPut = ({ method }: StorageRequest) => method === 'PUT'

describe('an object', () => {
  it('is stored below the prefix, read in full and by range, listed over several pages, and removed', async () => {
    for (const name of ['a/1', 'a/2', 'a/3', 'a/4', 'a/5', 'b/1']) expect(await store.put(name, bytes)).toBe(true)
    expect(server.keys()).toContain('shop/a/1')
    expect(bytes.equals((await store.get('a/1')) ?? Buffer.alloc(0))).toBe(true)
    expect((await buffer(await store.open('a/1', { start: 5, end: 99 }))).equals(bytes.subarray(5, 100))).toBe(true)
    expect((await buffer(await store.open('a/1'))).equals(bytes)).toBe(true)
    expect(await store.head('a/1')).toMatchObject({
      bytes: bytes.length,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await listAll('a/')).toEqual(['a/1', 'a/2', 'a/3', 'a/4', 'a/5'])
    for (const name of await listAll('')) await store.remove(name)
    await store.remove('a/1')
    expect([await listAll(''), await store.get('a/1'), await store.head('a/1')]).toEqual([[], undefined, undefined])
    await expect(store.open('a/1')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('is not read if the storage returns another range than requested', async () => {
    await store.put('part', bytes)
    failFirst(1, { is: 'other-part' })
    await expect(store.open('part', { start: 5, end: 9 })).rejects.toThrow('another part of an object')
  })

  it('is not taken for an empty one if the storage does not say how large it is', async () => {
    await store.put('unmeasured', bytes)
    failFirst(2, { is: 'unmeasured' })
    await expect(store.open('unmeasured')).rejects.toThrow('the storage does not say how large an object is')
    await expect(store.head('unmeasured')).rejects.toThrow('the storage does not say how large an object is')
    expect((await buffer(await store.open('unmeasured'))).equals(bytes)).toBe(true)
  })

  it('is read to its end if the storage stalls in the middle, and never mixes two versions', async () => {
    const store = openObjectStore(settingsOf(), hasty)
    await store.put('still', bytes)
    failFirst(1, { is: 'stalled' })
    expect((await buffer(await store.open('still'))).equals(bytes)).toBe(true)
    failFirst(1, { is: 'half-answered' })
    const stream = await store.open('still')
    await store.put('still', randomBytes(bytes.length))
    await expect(buffer(stream)).rejects.toThrow('the storage holds something else than a moment ago')
  })

  it('is written under a condition only while that holds', async () => {
    expect(await store.put('index', bytes, 'new')).toBe(true)
    expect(await store.put('index', bytes, 'new')).toBe(false)
    const found = await store.getChanged('index', undefined)
    if (!found || found === 'unchanged') throw new Error('nothing found')
    expect(await store.getChanged('index', found.etag)).toBe('unchanged')
    expect(await store.put('index', Buffer.from('other'), { etag: found.etag })).toBe(true)
    expect(await store.put('index', bytes, { etag: found.etag })).toBe(false)
    expect(await store.getChanged('index', found.etag)).toMatchObject({ bytes: Buffer.from('other') })
    expect(await store.getChanged('nothing', undefined)).toBeUndefined()
  })

  it('is written without a condition if the storage supports none', async () => {
    failFirst(1, { is: 'refused', status: 501, code: 'NotImplemented' }, isPut)
    expect(await store.put('plain', bytes, 'new')).toBe(true)
    expect(await store.get('plain')).toHaveLength(bytes.length)
  })

  it('never has a key outside the prefix', async () => {
    for (const key of ['', '/a', '../a', 'a/../b', 'a//b', 'a b', 'a?b', '.a'])
      await expect(store.put(key, bytes), key).rejects.toThrow('is not the key')
  })

  it('that was modified after listing is not removed', async () => {
    await store.put('old/1', bytes)
    const [listed] = await Array.fromAsync(store.list('old/'))
    if (!listed) throw new Error('nothing listed')
    await store.removeUntouched({ ...listed, changedAt: listed.changedAt - 60_000 })
    expect(await store.touch('old/1')).toBe(true)
    expect((await store.head('old/1'))?.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(await store.touch('old/2')).toBe(false)
    await store.removeUntouched({ ...listed, changedAt: (await store.head('old/1'))?.changedAt ?? 0 })
    expect(await listAll('old/')).toEqual([])
  })
})

describe('a large stream', () => {
  const piece = randomBytes(2 * 1024 * 1024 + 1)
  async function* pieces(count: number) {
    for (let sent = 0; sent < count; sent++) yield piece
  }

  it('is stored in parts and becomes visible as a whole', async () => {
    failFirst(1, { is: 'refused', status: 500, code: 'InternalError' }, ({ query }) => query.has('partNumber'))
    await store.write('large/1', pieces(5))
    expect((await buffer(await store.open('large/1'))).equals(Buffer.concat(Array(5).fill(piece)))).toBe(true)
    await store.write('large/2', pieces(1))
    expect((await store.head('large/2'))?.bytes).toBe(piece.length)
    await store.write('large/3', pieces(0))
    expect((await store.head('large/3'))?.bytes).toBe(0)
  })

  it('is not stored twice if the response to its completion was lost', async () => {
    const last = failFirst(1, { is: 'answer-lost' }, ({ method, query }) => method === 'POST' && query.has('uploadId'))
    await store.write('large/4', pieces(4))
    expect([last.count, (await store.head('large/4'))?.bytes]).toEqual([1, 4 * piece.length])
  })

  it('that breaks off is abandoned, and leaves nothing visible', async () => {
    async function* broken() {
      yield* pieces(4)
      throw new Error('the disk is gone')
    }
    await expect(store.write('large/5', broken())).rejects.toThrow('the disk is gone')
    expect([await store.head('large/5'), server.openUploads()]).toEqual([undefined, 0])
    server.fail(({ query }) =>
      query.has('uploadId') ? { is: 'refused', status: 403, code: 'AccessDenied' } : undefined,
    )
    await expect(store.write('large/5', pieces(4))).rejects.toThrow('does not allow this to the key')
    server.heal()
    expect([await store.head('large/5'), server.openUploads()]).toEqual([undefined, 1])
    await store.sweep('large/', Date.now() - 60_000)
    expect(server.openUploads()).toBe(1)
    await store.sweep('large/', Date.now() + 60_000)
    expect(server.openUploads()).toBe(0)
  })
})

const passing: StorageFault[] = [
  { is: 'refused', status: 500, code: 'InternalError' },
  { is: 'refused', status: 503, code: 'SlowDown' },
  { is: 'half-sent' },
  { is: 'silent' },
  { is: 'slow', ms: 1500 },
  { is: 'answer-lost' },
  { is: 'half-answered' },
]

describe('a storage with a temporary fault', () => {
  it.each(passing)('still writes and reads everything ($is)', async (fault) => {
    const store = openObjectStore(settingsOf(), fault.is === 'silent' || fault.is === 'slow' ? hasty : patience)
    const met = failFirst(2, fault, ({ method }) => method === 'PUT' || method === 'GET')
    expect(await store.put('moment/1', bytes)).toBe(true)
    expect(met.count).toBeGreaterThan(0)
    server.heal()
    expect(bytes.equals((await store.get('moment/1')) ?? Buffer.alloc(0))).toBe(true)
    failFirst(2, fault)
    expect(bytes.equals((await store.get('moment/1')) ?? Buffer.alloc(0))).toBe(true)
    failFirst(2, fault)
    const part = await buffer(await store.open('moment/1', { start: 10, end: 100_000 }))
    expect(part.equals(bytes.subarray(10, 100_001))).toBe(true)
  })

  it('is asked whether it stored an unconfirmed object, before that is sent again', async () => {
    const met = failFirst(1, { is: 'answer-lost' }, isPut)
    expect(await store.put('moment/2', bytes, 'new')).toBe(true)
    expect(met.count).toBe(1)
    // An earlier object with the same bytes confirms nothing.
    const again = failFirst(1, { is: 'refused', status: 500, code: 'InternalError' }, isPut)
    expect(await store.put('moment/2', bytes)).toBe(true)
    expect(again.count).toBe(2)
  })

  it('is asked again for an object that is not visible yet, if it is known to exist', async () => {
    await store.put('late/1', bytes)
    failFirst(2, { is: 'late' })
    expect(await store.get('late/1')).toBeUndefined()
    failFirst(2, { is: 'late' })
    expect(await store.get('late/1', { isExpected: true })).toHaveLength(bytes.length)
  })
})

it(
  'a storage stores all or nothing and never returns other bytes, whatever happens on the way',
  async () => {
    const quick = passing.filter(({ is }) => is !== 'silent' && is !== 'slow')
    const faults = fc.array(fc.constantFrom<StorageFault | undefined>(undefined, ...quick), { maxLength: 6 })
    const unknown = () => 'unknown' as const
    let runs = 0
    await fc.assert(
      fc.asyncProperty(faults, fc.uint8Array({ minLength: 1, maxLength: 50 }), async (met, given) => {
        const key = `any/${++runs}`
        let asked = 0
        server.fail(() => met[asked++])
        const hurried = openObjectStore(settingsOf(), { attemptMs: 30_000, withinMs: 150 })
        const kept = await hurried.put(key, given, 'new').catch(unknown)
        const read = await hurried.get(key).catch(unknown)
        const part = await hurried.open(key, { start: 0, end: 0 }).then(buffer).catch(unknown)
        server.heal()
        const truth = await store.get(key)
        if (kept !== 'unknown') expect([kept, truth]).toEqual([true, Buffer.from(given)])
        if (truth) expect(truth).toEqual(Buffer.from(given))
        if (read !== 'unknown') expect(read).toEqual(truth)
        if (part !== 'unknown') expect(part).toEqual(Buffer.from(given.subarray(0, 1)))
      }),
      { numRuns: figure(15, 300), ...seed },
    )
  },
  limitMs(300_000, 900_000),
)

it('a list fails if it says that there is more and not how to get it', async () => {
  for (const name of ['cut/1', 'cut/2', 'cut/3', 'cut/4']) await store.put(name, bytes)
  server.fail(() => ({ is: 'cut-list' }))
  await expect(listAll('cut/')).rejects.toThrow('the storage does not say how its list goes on')
})

it('a list fails if it leads to a page that was read already', async () => {
  for (const name of ['round/1', 'round/2', 'round/3', 'round/4']) await store.put(name, bytes)
  server.fail(() => ({ is: 'endless-list' }))
  await expect(listAll('round/')).rejects.toThrow('the storage leads from its list to a page of it that was read')
})

describe('a response of a proxy in front of the storage', () => {
  const isList = ({ query }: StorageRequest) => query.has('list-type')

  it('is not read as a list, least of all as an empty one', async () => {
    for (const name of ['page/1', 'page/2', 'page/3', 'page/4']) await store.put(name, bytes)
    failFirst(2, { is: 'page' }, isList)
    expect(await listAll('page/')).toEqual(['page/1', 'page/2', 'page/3', 'page/4'])
    const hurried = openObjectStore(settingsOf(), shortly)
    server.fail((request) => (isList(request) ? { is: 'page' } : undefined))
    await expect(Array.fromAsync(hurried.list('page/'))).rejects.toThrow('the storage answered without a list')
  })

  it('does not confirm that an object was stored', async () => {
    failFirst(1, { is: 'page' }, isPut)
    expect(await store.put('page/5', bytes)).toBe(true)
    expect(await store.head('page/5')).toMatchObject({ bytes: bytes.length })
    const hurried = openObjectStore(settingsOf(), shortly)
    server.fail((request) => (isPut(request) ? { is: 'page' } : undefined))
    await expect(hurried.put('page/6', bytes)).rejects.toThrow('the storage answered without a word of what it kept')
  })
})

describe('a storage with a permanent fault', () => {
  it('is given up in time, in a sentence without its address or a key', async () => {
    const store = openObjectStore(settingsOf(), shortly)
    const sayings: string[] = []
    for (const fault of [
      { is: 'refused', status: 503, code: 'SlowDown' },
      { is: 'silent' },
      { is: 'half-sent' },
    ] as const) {
      server.fail(() => fault)
      sayings.push(await store.put('gone/1', bytes).then(String, ({ message }: Error) => message))
    }
    server.heal()
    const elsewhere = openObjectStore({ ...settingsOf(), endpoint: 'http://127.0.0.1:9' }, shortly)
    sayings.push(await elsewhere.get('gone/1').then(String, ({ message }: Error) => message))
    expect(sayings).toEqual([
      'the storage answered 503 (SlowDown)',
      'the storage did not answer in time',
      'the storage broke off',
      // A busy machine may take a while to refuse the connection.
      expect.stringMatching(/^the storage (broke off|did not answer in time)$/),
    ])
    expect(await listAll('gone/')).toEqual([])
  })

  it('does not delay every request, and is used again at once when it is back', async () => {
    const store = openObjectStore(settingsOf(), { ...patience, withinMs: shortly.withinMs })
    const met = failFirst(Number.POSITIVE_INFINITY, { is: 'refused', status: 503, code: 'SlowDown' })
    await expect(store.get('gone/2')).rejects.toThrow('503')
    const first = met.count
    await expect(store.get('gone/2')).rejects.toThrow('503')
    expect([first > 1, met.count - first]).toEqual([true, 1])
    server.heal()
    expect(await store.get('gone/2')).toBeUndefined()
    const next = failFirst(1, { is: 'refused', status: 503, code: 'SlowDown' })
    expect(await store.get('gone/2')).toBeUndefined()
    expect(next.count).toBe(2)
  })

  it('is not asked again when it refuses our request as such', async () => {
    const met = failFirst(9, { is: 'refused', status: 403, code: 'AccessDenied' })
    await expect(store.put('ours/1', bytes)).rejects.toThrow('the storage does not allow this to the key')
    expect(met.count).toBe(1)
    server.heal()
    const wrong = { ...settingsOf(), keys: () => ({ accessKeyId: 'S3RVER', secretAccessKey: 'not-it' }) }
    const failed = await openObjectStore(wrong, patience)
      .get('ours/1')
      .catch((error: unknown) => error)
    expect(failed).toMatchObject({ kind: 'refused', message: 'the storage does not take this secret' })
  })
})

it('the storage is part of the health of the shop', async () => {
  const look = async () => (await makeStorageCheck(store).run())?.sentence
  expect(await look()).toBe('The storage answers.')
  server.fail(() => ({ is: 'refused', status: 403, code: 'InvalidAccessKeyId' }))
  expect(await look()).toBe('The storage does not know this key.')
})

describe('a prefix', () => {
  it('belongs to the first ledger that wrote there: no other one writes or removes below it', async () => {
    const [first, second] = [
      openObjectStore(settingsOf('claimed'), patience),
      openObjectStore(settingsOf('claimed'), patience),
    ]
    const ours = claimPrefix(first, 'ledger one')
    failFirst(1, { is: 'answer-lost' }, isPut)
    await ours.put('products/1', bytes)
    server.heal()
    await claimPrefix(second, 'ledger one').put('products/2', bytes)
    const theirs = claimPrefix(second, 'ledger two')
    await expect(theirs.put('products/3', bytes)).rejects.toThrow('is used by another shop')
    await expect(theirs.remove('products/1')).rejects.toThrow('is used by another shop')
    expect(await theirs.get('products/1')).toHaveLength(bytes.length)
    expect(server.keys().filter((key) => key.startsWith('claimed/'))).toEqual([
      'claimed/owner',
      'claimed/products/1',
      'claimed/products/2',
    ])
  })
})
