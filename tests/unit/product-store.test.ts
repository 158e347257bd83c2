import { mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeProductStore } from '../../src/payments/ledger/product-store.ts'

const large = new Uint8Array(1_500_000).fill(7)
const open = () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'farthing-store-')), 'products')
  return { folder, store: makeProductStore(folder) }
}

it('stores a small product in the row and a large one in a file named by its content', async () => {
  const { folder, store } = open()
  expect(await store.keep(new Uint8Array([1]))).toEqual({ body: new Uint8Array([1]), file: null })
  const kept = await store.keep(large)
  expect(kept).toEqual({ body: null, file: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(await store.keep(large)).toEqual(kept)
  expect(readdirSync(folder)).toEqual([kept.file])
  expect(Buffer.compare(await store.read(kept), large)).toBe(0)
})

it('never returns a file that differs from what was stored', async () => {
  const { folder, store } = open()
  const kept = await store.keep(large)
  writeFileSync(join(folder, kept.file ?? ''), 'something else')
  await expect(store.read(kept)).rejects.toThrow(/damaged/)
})

it('removes files that no row names, except recent ones that may be named soon', async () => {
  const { folder, store } = open()
  const kept = await store.keep(large)
  const old = await store.keep(new Uint8Array(1_500_000).fill(8))
  const young = await store.keep(new Uint8Array(1_500_000).fill(9))
  const yesterday = Date.now() / 1000 - 86_400
  for (const { file } of [kept, old]) utimesSync(join(folder, file ?? ''), yesterday, yesterday)
  await store.keepOnly(new Set([kept.file ?? '']))
  expect(readdirSync(folder).toSorted()).toEqual([kept.file, young.file].toSorted())
})

it('has nothing to remove before anything was stored', async () => {
  await expect(open().store.keepOnly(new Set())).resolves.toBeUndefined()
})

it('removes files while others are being stored', async () => {
  const { store } = open()
  let isStoring = true
  const keepOnly = async (): Promise<void> => {
    while (isStoring) await store.keepOnly(new Set())
  }
  const keep = async (): Promise<void> => {
    for (let at = 0; at < 40; at += 1) await store.keep(new Uint8Array(1_500_000).fill(at))
  }
  await Promise.all([keepOnly(), keep().finally(() => (isStoring = false))])
})
