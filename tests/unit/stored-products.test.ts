import { mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'
import { makeStoredProducts } from '../../src/payments/ledger/stored-products.ts'
import type { ObjectStore } from '../../src/storage/objects/object-store.ts'
import { openObjectStore } from '../../src/storage/objects/open-object-store.ts'
import { type ObjectServer, startObjectServer } from '../support/object-server.ts'

const large = (sign: number) => new Uint8Array(1_100_000).fill(sign)

let server: ObjectServer
let objects: ObjectStore
beforeAll(async () => {
  server = await startObjectServer()
  const { storage } = readConfig(server.env())
  if (!storage) throw new Error('no storage')
  objects = openObjectStore(storage, { attemptMs: 30_000, withinMs: 60_000 })
})
afterEach(() => server.heal())
afterAll(() => server.stop())

const open = (folder = join(mkdtempSync(join(tmpdir(), 'farthing-store-')), 'products')) => ({
  folder,
  store: makeStoredProducts({ objects, folder }),
})
const age = (path: string, days = 9) =>
  utimesSync(path, Date.now() / 1000 - days * 86_400, Date.now() / 1000 - days * 86_400)
const isGet = ({ method }: { method: string }) => method === 'GET'

it('stores a small product in the row, and a large one where every machine can read it', async () => {
  const { store, folder } = open()
  expect(await store.keep(new Uint8Array([1]))).toEqual({ body: new Uint8Array([1]), file: null })
  const kept = await store.keep(large(7))
  expect(kept).toEqual({ body: null, file: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(server.keys()).toEqual([`products/${kept.file}`])
  for (const each of [store, store, open().store, open(folder).store])
    expect(Buffer.compare(await each.read(kept), large(7))).toBe(0)
})

it('delivers what it just stored even if the storage is down by then', async () => {
  const { store } = open()
  const kept = await store.keep(large(6))
  server.fail(() => ({ is: 'refused', status: 403, code: 'AccessDenied' }))
  expect(Buffer.compare(await store.read(kept), large(6))).toBe(0)
  await expect(store.read(kept)).rejects.toThrow('the storage does not allow this to the key')
})

it('throws, and stores nothing, while the storage refuses writes', async () => {
  server.fail(({ method }) => (method === 'PUT' ? { is: 'refused', status: 403, code: 'AccessDenied' } : undefined))
  await expect(open().store.keep(large(5))).rejects.toThrow('the storage does not allow this to the key')
})

it('never returns other bytes than were stored, and fetches them again before it fails', async () => {
  const kept = await open().store.keep(large(4))
  let wrong = 0
  server.fail((request) => (isGet(request) && ++wrong <= 2 ? { is: 'wrong-byte' } : undefined))
  expect(Buffer.compare(await open().store.read(kept), large(4))).toBe(0)
  writeFileSync(server.fileOf(`products/${kept.file}`), large(3))
  await expect(open().store.read(kept)).rejects.toThrow('is damaged')
})

it('waits for an object that the storage does not show yet, and reports one that is gone', async () => {
  const kept = await open().store.keep(large(2))
  let late = 0
  server.fail((request) => (isGet(request) && ++late <= 3 ? { is: 'late' } : undefined))
  expect(await open().store.read(kept)).toHaveLength(large(2).length)
  await objects.remove(`products/${kept.file}`)
  await expect(open().store.read(kept)).rejects.toThrow('is gone')
})

it('reads earlier products from the local folder, and moves them during maintenance', async () => {
  const { store, folder } = open()
  const before = makeProductStore(folder)
  const [kept, dropped, young] = [
    await before.keep(large(10)),
    await before.keep(large(11)),
    await before.keep(large(12)),
  ]
  expect(Buffer.compare(await store.read(kept), large(10))).toBe(0)
  for (const { file } of [kept, dropped]) age(join(folder, file ?? ''))
  await store.keepOnly(new Set([kept.file ?? '']))
  expect(readdirSync(folder)).toEqual([young.file])
  expect(Buffer.compare(await open().store.read(kept), large(10))).toBe(0)
})

it('removes objects that no row names, but not those that a ledger may name after a restore', async () => {
  const { store } = open()
  const [kept, old, young] = [await store.keep(large(20)), await store.keep(large(21)), await store.keep(large(22))]
  for (const { file } of [kept, old]) age(server.fileOf(`products/${file}`))
  age(server.fileOf(`products/${young.file}`), 7)
  await store.keepOnly(new Set([kept.file ?? '']))
  const left = server.keys()
  expect(left).toEqual(expect.arrayContaining([`products/${kept.file}`, `products/${young.file}`]))
  expect(left).not.toContain(`products/${old.file}`)
  // Stored again just before it would have been removed.
  const again = await store.keep(large(21))
  age(server.fileOf(`products/${again.file}`))
  let renewed = false
  server.fail(({ method }) => {
    if (method === 'HEAD' && !renewed) {
      renewed = true
      utimesSync(server.fileOf(`products/${again.file}`), new Date(), new Date())
    }
    return undefined
  })
  await store.keepOnly(new Set([kept.file ?? '']))
  expect([renewed, server.keys().includes(`products/${again.file}`)]).toEqual([true, true])
})
