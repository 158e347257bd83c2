import { randomBytes } from 'node:crypto'
import { mkdtempSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { openFinishedNarrations } from '../../src/narration/narrator/finished-narrations.ts'
import { forgetSharedNarrations, shareNarrations } from '../../src/narration/narrator/shared-narrations.ts'
import { openObjectStore } from '../../src/storage/objects/open-object-store.ts'
import { type ObjectServer, startObjectServer } from '../support/object-server.ts'

const narration = { mp3: new Uint8Array(randomBytes(5000)), durationMs: 1000, voiceId: 'v', cues: [], chapters: [] }
const keys = { first: 'a'.repeat(64), second: 'b'.repeat(64) }

let server: ObjectServer
beforeAll(async () => {
  server = await startObjectServer()
})
afterEach(() => server.heal())
afterAll(() => server.stop())

const objectsOf = () => {
  const { storage } = readConfig(server.env())
  if (!storage) throw new Error('no storage')
  return openObjectStore(storage)
}
const failures: unknown[] = []
const openMachine = async () =>
  shareNarrations({
    near: await openFinishedNarrations(mkdtempSync(join(tmpdir(), 'farthing-near-')), 1_000_000),
    objects: objectsOf(),
    report: (error) => failures.push(error),
  })
const isThere = (key: string) => expect.poll(() => server.keys()).toContain(`narrations/${key}`)

it('a narration made on one machine is used by another, which caches it', async () => {
  const [first, second] = [await openMachine(), await openMachine()]
  await first.keep(keys.first, narration)
  await isThere(keys.first)
  expect(await second.find(keys.first)).toEqual(narration)
  server.fail(() => ({ is: 'refused', status: 403, code: 'AccessDenied' }))
  expect(await second.find(keys.first)).toEqual(narration)
  expect(await (await openMachine()).find(keys.first)).toBeUndefined()
  expect(failures).toEqual([])
})

it('a narration is cached locally if the storage refuses it, and made again if the storage has other bytes', async () => {
  const machine = await openMachine()
  server.fail(() => ({ is: 'refused', status: 403, code: 'AccessDenied' }))
  await machine.keep(keys.second, narration)
  await expect.poll(() => failures).toHaveLength(1)
  expect(await machine.find(keys.second)).toEqual(narration)
  server.heal()
  await objectsOf().put(`narrations/${keys.second}`, Buffer.from('half'))
  expect(await (await openMachine()).find(keys.second)).toBeUndefined()
})

it('a narration is removed after a month', async () => {
  await (await openMachine()).keep(keys.first, narration)
  await isThere(keys.first)
  const old = Date.now() / 1000 - 31 * 86_400
  utimesSync(server.fileOf(`narrations/${keys.second}`), old, old)
  await forgetSharedNarrations(objectsOf(), Date.now())
  expect(server.keys()).toEqual([`narrations/${keys.first}`])
})
