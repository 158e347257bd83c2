import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toDurationText, toWholeSeconds } from '../../src/core/durations.ts'
import { readMp3 } from '../support/read-mp3.ts'
import { type RunningSite, startSite } from '../support/running-site.ts'
import { makeShortBuild } from '../support/short-build.ts'
import { openTestLedger } from '../support/test-databases.ts'

const text = (count: number) => Array.from({ length: count }, (_, n) => `This is sentence number ${n}.`).join(' ')

let build: ReturnType<typeof makeShortBuild>
beforeAll(() => {
  build = makeShortBuild([text(4), text(6), text(5)])
})
afterAll(() => build.remove())

/** Addresses where nothing listens, because nothing is paid here. */
const nobody = { facilitatorUrl: 'http://127.0.0.1:9', rpcUrl: 'http://127.0.0.1:9' }
const start = (dataDir: string) =>
  startSite({ ...nobody, dataDir, build: build.folder, env: { JOBS: 'on', NARRATION: 'on' } })
const newFolder = () => mkdtempSync(join(tmpdir(), 'farthing-narration-'))
const audioOf = (dataDir: string) => readdirSync(join(dataDir, 'audio'))
const keysIn = (dataDir: string) =>
  audioOf(dataDir)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))

async function until(isSo: () => boolean, what: () => string, limitMs = 300_000): Promise<void> {
  const end = performance.now() + limitMs
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`still waiting: ${what()}`)
    await wait(20)
  }
}
const untilRan = (site: RunningSite) => until(() => site.output().includes('media-scan.ran'), site.output)

async function runsOf(dataDir: string) {
  const db = await openTestLedger(dataDir)
  const rows = await db.selectFrom('job_run').select(['state', 'error']).orderBy('fence').execute()
  await db.destroy()
  return rows.map(({ state, error }) => error ?? state)
}

const episodeSchema = z.object({ slug: z.string(), sizeBytes: z.number(), durationMs: z.number() })

/** Checks that every finished narration can be fetched, and has the size and the length that its record says. */
async function expectWhole(site: RunningSite): Promise<void> {
  for (const key of keysIn(site.dataDir)) {
    const response = await site.fetch(`/audio/${key}.mp3`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    const about = episodeSchema.parse(JSON.parse(readFileSync(join(site.dataDir, 'audio', `${key}.json`), 'utf8')))
    const { info, sampleRate } = readMp3(bytes)
    expect([response.status, bytes.length]).toEqual([200, about.sizeBytes])
    expect(Math.round((info.samples * 1000) / sampleRate)).toBe(about.durationMs)
  }
}

describe('a site that narrates', { timeout: 600_000 }, () => {
  it('serves what is ready, newest post first, and finds it by search', async () => {
    const site = await start(newFolder())
    await untilRan(site)
    const order = [...site.output().matchAll(/"storageKey":"(.+)-[0-9a-f]{16}"/g)].map(([, slug]) => slug)
    expect(order).toEqual(build.slugs)
    expect(site.output()).toContain('"narrated":3,"unchanged":0,"skipped":0,"failed":0')
    await expectWhole(site)
    const search = z.object({
      results: z.array(z.object({ url: z.string(), narrationDuration: z.string().optional() })),
    })
    const { results } = search.parse(await (await site.fetch('/api/search.json?q=the&limit=50')).json())
    for (const key of keysIn(site.dataDir)) {
      const { slug, durationMs } = episodeSchema.parse(
        JSON.parse(readFileSync(join(site.dataDir, 'audio', `${key}.json`), 'utf8')),
      )
      const found = results.find(({ url }) => url.endsWith(`/posts/${slug}`))
      expect(found?.narrationDuration).toBe(toDurationText(durationMs))
      expect(toWholeSeconds(durationMs)).toBeGreaterThan(4)
    }
    await site.kill('SIGTERM')
    rmSync(site.dataDir, { recursive: true })
  })

  it('continues after kill -9, makes nothing twice and leaves no partial file', async () => {
    const dataDir = newFolder()
    const kept = new Map<string, number>()
    for (let round = 0; round < 3; round++) {
      const site = await start(dataDir)
      // Each round kills it at another moment: between two sentences, while the file is made or while it is written.
      await until(() => keysIn(dataDir).length > kept.size || site.output().includes('media-scan.ran'), site.output)
      await wait(round * 150)
      await site.kill('SIGKILL')
      for (const [key, mtimeMs] of kept) expect(statSync(join(dataDir, 'audio', `${key}.mp3`)).mtimeMs).toBe(mtimeMs)
      for (const key of keysIn(dataDir)) kept.set(key, statSync(join(dataDir, 'audio', `${key}.mp3`)).mtimeMs)
    }
    const half = ['.x.mp3.0123456789ab.part', 'alone-0123456789abcdef.mp3', `${build.slugs[2]}-0000000000000000.mp3`]
    for (const name of half) writeFileSync(join(dataDir, 'audio', name), 'ID3')
    const site = await start(dataDir)
    expect((await site.fetch(`/audio/${half[2]}`)).status).toBe(404)
    await untilRan(site)
    await expectWhole(site)
    expect(keysIn(dataDir)).toHaveLength(3)
    expect(audioOf(dataDir)).toHaveLength(6)
    for (const [key, mtimeMs] of kept) expect(statSync(join(dataDir, 'audio', `${key}.mp3`)).mtimeMs).toBe(mtimeMs)
    expect((await runsOf(dataDir)).at(-1)).toBe('succeeded')
    await site.kill('SIGTERM')
    rmSync(dataDir, { recursive: true })
  })

  it('stops within seconds in the middle of its work', async () => {
    const dataDir = newFolder()
    const site = await start(dataDir)
    await until(() => keysIn(dataDir).length > 0, site.output)
    const from = performance.now()
    await site.kill('SIGTERM')
    expect([site.child.exitCode, performance.now() - from < 20_000]).toEqual([0, true])
    expect(['it was stopped', 'succeeded']).toContain((await runsOf(dataDir)).at(-1))
    rmSync(dataDir, { recursive: true })
  })

  it('waits for another process that narrates, serves its audio, and takes over when that is killed', async () => {
    const dataDir = newFolder()
    const first = await start(dataDir)
    const second = await start(dataDir)
    await until(() => keysIn(dataDir).length > 0, first.output)
    const [key] = keysIn(dataDir)
    await first.kill('SIGKILL')
    await until(() => second.output().includes('media-scan.ran'), second.output)
    expect(keysIn(dataDir)).toHaveLength(3)
    expect((await second.fetch(`/audio/${key}.mp3`, { method: 'HEAD' })).status).toBe(200)
    await expectWhole(second)
    await second.kill('SIGTERM')
    rmSync(dataDir, { recursive: true })
  })
})
