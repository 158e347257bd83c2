import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { voicesSchema } from '../../src/narration/engines/voice-list.ts'
import { readMp3 } from '../support/read-mp3.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'

const path = '/api/x402/media/voices'

let site: RunningSite
beforeAll(async () => {
  site = await startSite({ facilitatorUrl: 'http://127.0.0.1:9', rpcUrl: 'http://127.0.0.1:9' })
})
afterAll(() => site?.kill('SIGTERM'))

const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer())

describe('the list of voices', () => {
  it('is free, readable from anywhere, and names every voice with its sample', async () => {
    const answer = await site.fetch(path)
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
    const list = voicesSchema.parse(await answer.json())
    expect(list).toMatchObject({ engine: 'embedded', default: 'English_CalmMan', count: list.voices.length })
    expect(list.voices.map(({ voiceId }) => voiceId)).toContain(list.default)
    expect(new Set(list.voices.map(({ gender }) => gender))).toEqual(new Set(['female', 'male']))
    for (const { voiceId, sampleUrl } of list.voices) expect(sampleUrl).toBe(`${testBaseUrl}${path}/${voiceId}.mp3`)
  })

  it('allows HEAD, preflights and conditions, and refuses other methods', async () => {
    expect((await site.fetch(path, { method: 'HEAD' })).status).toBe(200)
    expect((await site.fetch(path, { method: 'OPTIONS' })).status).toBe(204)
    expect((await site.fetch(path, { method: 'POST' })).status).toBe(405)
    const etag = (await site.fetch(path)).headers.get('etag') ?? ''
    expect((await site.fetch(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })
})

describe('the sample of a voice', () => {
  it('is made once, however many ask at the same time, and kept', async () => {
    const url = `${path}/English_DeepMan.mp3`
    const folder = join(site.dataDir, 'voices')
    const answers = await Promise.all(Array.from({ length: 8 }, () => site.fetch(url)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200))
    const [first, ...others] = await Promise.all(answers.map(bytesOf))
    for (const other of others) expect(Buffer.compare(other, first ?? Buffer.alloc(0))).toBe(0)
    expect(readdirSync(folder)).toHaveLength(1)
    const file = readMp3(first ?? Buffer.alloc(0))
    expect(file.info.samples / file.sampleRate).toBeGreaterThan(4)
    expect(file.info.samples / file.sampleRate).toBeLessThan(20)
    expect(Buffer.compare(await bytesOf(await site.fetch(url)), first ?? Buffer.alloc(0))).toBe(0)
  })

  it('can be played as browsers do: in ranges, with its length and a tag', async () => {
    const url = `${path}/English_CalmMan.mp3`
    const head = await site.fetch(url, { method: 'HEAD' })
    const size = Number(head.headers.get('content-length'))
    expect([head.status, head.headers.get('content-type'), head.headers.get('accept-ranges')]).toEqual([
      200,
      'audio/mpeg',
      'bytes',
    ])
    const part = await site.fetch(url, { headers: { range: 'bytes=100-199' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${size}`])
    expect((await bytesOf(part)).length).toBe(100)
    const etag = head.headers.get('etag') ?? ''
    expect((await site.fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await site.fetch(url, { headers: { range: `bytes=${size}-` } })).status).toBe(416)
    expect(head.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('exists for voices that exist, and for nothing else', async () => {
    for (const name of ['English_Nobody', 'english_calmman', '..%2F..%2Fledger', 'English_CalmMan.mp3', ''])
      expect([name, (await site.fetch(`${path}/${name}.mp3`)).status]).toEqual([name, 404])
    expect((await site.fetch(`${path}/English_CalmMan.mp3`, { method: 'DELETE' })).status).toBe(405)
  })
})
