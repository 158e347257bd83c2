import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { captionedSchema } from '../../functions/narrate/captioned.ts'
import { toUnits } from '../../functions/narrate/to-units.ts'
import { narrateHere } from '../../src/commands/narrate-here.ts'
import { readConfig } from '../../src/config/config.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { openSpeechEngine } from '../../src/narration/engines/open-speech-engine.ts'
import { voicesSchema } from '../../src/narration/engines/voice-list.ts'
import { readKeptEpisodes } from '../../src/narration/episodes/kept-episodes.ts'
import { makeNarrator } from '../../src/narration/narrator/narrate.ts'
import { figure } from '../support/figures.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { minimaxError, openPretendMinimax } from '../support/pretend-minimax.ts'
import { openaiError, openPretendOpenai } from '../support/pretend-openai.ts'
import { htmlReply, jsonReply, type ProviderFault, type ProviderReply } from '../support/pretend-provider.ts'
import { readCommands } from '../support/read-commands.ts'
import { readMp3 } from '../support/read-mp3.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { writeSpokenPosts } from '../support/spoken-posts.ts'
import { payingFetch, sign } from '../support/stock-client.ts'

const url = `${testBaseUrl}/api/x402/media/narrate`
const { privateKey } = sandboxAccounts.buyer

let money: RunningMoney
let minimax: Awaited<ReturnType<typeof openPretendMinimax>>
let openai: Awaited<ReturnType<typeof openPretendOpenai>>
const sites = new Map<string, RunningSite>()
beforeAll(async () => {
  money = await startMoney()
  minimax = await openPretendMinimax()
  openai = await openPretendOpenai()
  const settings = {
    minimax: { MINIMAX_API_KEY: minimax.key, MINIMAX_BASE_URL: minimax.url, MINIMAX_GROUP_ID: '77' },
    openai: { OPENAI_API_KEY: openai.key, OPENAI_BASE_URL: `${openai.url}/v1` },
  }
  for (const [engine, env] of Object.entries(settings))
    sites.set(engine, await startSite({ ...money, env: { VOICE_ENGINE: engine, ...env } }))
})
afterAll(async () => {
  for (const site of sites.values()) await site.kill('SIGTERM')
  await minimax?.close()
  await openai?.close()
  await money?.stop()
})

const engines = ['minimax', 'openai'] as const
const providerOf = (engine: string) => (engine === 'minimax' ? minimax : openai)
const siteOf = (engine: string): RunningSite => {
  const site = sites.get(engine)
  if (!site) throw new Error(`no site with ${engine}`)
  return site
}
const post = (input: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(input),
})
const buy = (engine: string, input: object) => payingFetch(privateKey, siteOf(engine).fetch)(url, post(input))
const textsSent = (engine: string) =>
  providerOf(engine).requests.map(({ body }) => z.string().parse(body['text'] ?? body['input']))

describe.each(engines)('a narration by %s', (engine) => {
  it('is one MP3 with the same mastering, in the voice nearest to the requested one', async () => {
    const answer = await buy(engine, { text: 'A farthing was a quarter of a penny. It was struck with care.' })
    const headers = ['content-type', 'x-media-engine', 'x-voice-id'].map((name) => answer.headers.get(name))
    expect(providerOf(engine).requests[0]?.query.get('GroupId')).toBe(engine === 'minimax' ? '77' : null)
    expect([answer.status, ...headers]).toEqual([
      200,
      'audio/mpeg',
      engine,
      engine === 'minimax' ? 'English_SereneWoman' : 'sage',
    ])
    const file = readMp3(new Uint8Array(await answer.arrayBuffer()))
    const seconds = Number(answer.headers.get('x-audio-duration-seconds'))
    expect(file.info.samples / file.sampleRate).toBeCloseTo(seconds, 2)
    expect(seconds).toBeGreaterThan(3)
    expect(seconds).toBeLessThan(7)
  })

  it('has captions for every sentence, although several are spoken in one call', async () => {
    const text = 'The first sentence is here. The second one is a little longer than it. The third.'
    const answer = await buy(engine, { text, captions: true })
    const { sentences, durationSeconds } = captionedSchema.parse(await answer.json())
    expect(sentences.map((sentence) => sentence.text).join(' ')).toBe(text)
    for (const [place, { start, end }] of sentences.entries()) {
      expect(end).toBeGreaterThan(start)
      expect(end).toBeLessThanOrEqual(sentences[place + 1]?.start ?? durationSeconds)
    }
  })

  it('offers the voices of that provider, without samples, which would cost money', async () => {
    const list = voicesSchema.parse(await (await siteOf(engine).fetch('/api/x402/media/voices')).json())
    expect(list).toMatchObject({ engine, default: engine === 'minimax' ? 'English_SereneWoman' : 'sage' })
    expect(list.count).toBe(list.voices.length)
    expect(list.voices.map(({ sampleUrl }) => sampleUrl)).toEqual(list.voices.map(() => null))
    expect(new Set(list.voices.map(({ voiceId }) => voiceId)).size).toBe(list.count)
  })

  it('may be in any language, but needs words', async () => {
    expect((await buy(engine, { text: 'これはテストです。' })).status).toBe(200)
    const refused = await buy(engine, { text: '🪙 …' })
    expect([refused.status, await refused.json()]).toMatchObject([400, { charged: false }])
  })

  it('is requested in groups of whole sentences, without markup that would direct the voice', async () => {
    const before = textsSent(engine).length
    const sentence = (n: number) => `Sentence ${n} is here [laughs] to be read<#2#> (sighs) aloud.`
    const text = Array.from({ length: 60 }, (_, n) => sentence(n)).join(' ')
    const answer = await buy(engine, { text, speed: 1.5, model: 'speech-2.8-turbo', voiceId: 'Deep_Man' })
    expect(answer.status).toBe(200)
    const groups = textsSent(engine).slice(before)
    expect(groups.length).toBeGreaterThan(2)
    for (const group of groups) {
      expect(group.length).toBeLessThanOrEqual(engine === 'minimax' ? 600 : 1200)
      expect(group).toMatch(/^Sentence[\s\S]*aloud\.$/)
      expect(group).not.toMatch(/[<>[\]()]/)
    }
    for (const { body } of providerOf(engine).requests.slice(before))
      expect(body).toMatchObject(
        engine === 'minimax'
          ? { model: 'speech-2.8-turbo', voice_setting: { voice_id: 'English_CaptivatingStoryteller', speed: 1.5 } }
          : { voice: 'onyx', speed: 1.5 },
      )
  })

  it('reuses the finished parts of an attempt that failed in the middle', async () => {
    const lines = { length: engine === 'minimax' ? 45 : 90 }
    const text = Array.from(lines, (_, n) => `Line ${n} of a longer text by ${engine} goes on and on.`).join(' ')
    const input = { text, speed: 2, model: 'speech-2.8-turbo' }
    const { header } = await sign(url, post(input), { privateKey, fetch: siteOf(engine).fetch })
    const { headers, ...init } = post(input)
    const send = () => siteOf(engine).fetch(url, { ...init, headers: { ...headers, 'PAYMENT-SIGNATURE': header } })
    const before = textsSent(engine).length
    const fine: ProviderFault = { is: 'delay', ms: 0 }
    const busy: ProviderFault = { is: 'instead', reply: engine === 'minimax' ? minimaxError(1002) : jsonReply({}, 429) }
    // With two calls at a time, the fourth starts when two have been answered.
    providerOf(engine).faults.push(fine, fine, fine, busy)
    expect((await send()).status).toBe(502)
    expect(providerOf(engine).faults).toEqual([])
    const broken = textsSent(engine).length
    expect((await send()).status).toBe(200)
    const all = new Set(textsSent(engine).slice(before))
    expect(textsSent(engine).length - broken).toBeLessThanOrEqual(all.size - 2)
    const bought = textsSent(engine).length
    expect((await send()).status).toBe(200)
    expect(textsSent(engine)).toHaveLength(bought)
  })
})

/** The settings that the docs give for a server; `place` is the index of its command block. */
function settingsOf(place: number): Record<string, string> {
  const lines = readCommands('docs/media-engines.md')[place]?.text.trim().split('\n') ?? []
  expect([lines.length, lines[0]]).toEqual([2, expect.stringMatching(/^docker run /)])
  return Object.fromEntries(
    [...(lines[1] ?? '').matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

describe('a speech server on this machine', () => {
  it.each([
    { server: 'Kokoro', place: 0, voice: 'af_heart', model: 'kokoro' },
    { server: 'Piper', place: 1, voice: 'alloy', model: 'tts-1', rate: 22_050 },
  ])('narrates the posts when $server is configured as the docs say', async ({ place, voice, model, rate }) => {
    const settings = settingsOf(place)
    const { OPENAI_VOICES: voices = '', OPENAI_VOICE_LANGUAGES: languages } = settings
    const local = await openPretendOpenai({ voices: voices.split(','), isOpen: true, ...(rate && { rate }) })
    const folder = mkdtempSync(join(tmpdir(), 'farthing-local-voice-'))
    const sentences = Array.from({ length: 6 }, (_, n) => `Das ist der Satz ${n}, und er ist nicht lang.`)
    const [first, last] = [sentences.slice(0, 4), sentences.slice(4)].map((part) => part.join(' '))
    const post = { title: 'Ein Heller', author: 'A', slug: 'heller', contentMarkdown: `${first}\n\n## Teil\n\n${last}` }
    writeSpokenPosts(folder, [
      { ...post, language: 'de' },
      { ...post, slug: 'mislabelled', language: 'en' },
      { ...post, slug: 'plain', language: 'en', contentMarkdown: 'A farthing is small. It counts.' },
    ])
    const config = readConfig({ ...settings, DATA_DIR: folder, OPENAI_BASE_URL: `${local.url}/v1` })
    const said: string[] = []
    const ears = { say: (line: string) => said.push(line.replace(/-[0-9a-f]{16}.*/, '')), onProgress: () => {} }
    await narrateHere({ ...ears, privateFolder: folder, config, only: undefined, signal: new AbortController().signal })
    await local.close()
    const who = 'the speech service of this shop speaks English'
    expect(said).toEqual([
      languages ? `skipped    heller: ${who}, not "de"` : 'narrated   heller',
      languages ? `skipped    mislabelled: the text seems to be German, and ${who}` : 'narrated   mislabelled',
      'narrated   plain',
    ])
    const asked = local.requests.map(({ body, headers }) => [body['voice'], body['model'], headers['authorization']])
    expect(asked).toEqual(asked.map(() => [voice, model, undefined]))
    const slug = languages ? 'plain' : 'heller'
    const [episode] = (await readKeptEpisodes(join(folder, 'audio'), [{ slug }])).values()
    expect(episode).toMatchObject({ voiceId: voice, chapters: languages ? [{}] : [{}, { title: 'Teil' }] })
    const cues = episode?.cues ?? []
    const text = languages
      ? ['A farthing is small.', 'It counts.']
      : [...sentences.slice(0, 4), 'Teil', ...sentences.slice(4)]
    expect(cues.map((cue) => cue.text)).toEqual(['Ein Heller', ...text])
    // This server speaks every letter for the same time, so the length of a sentence is known.
    const secondsPerLetter = 0.065
    const wrong = cues.filter(
      (cue) => Math.abs((cue.endMs - cue.startMs) / 1000 - cue.text.length * secondsPerLetter) > 0.35,
    )
    expect(wrong).toEqual([])
  })
})

/** The provider's own response with changed sound. */
const changedSound = (change: (pcm: Buffer) => Buffer): ProviderFault => ({
  is: 'changed',
  change(reply): ProviderReply {
    if (typeof reply.body !== 'string') return { ...reply, body: change(Buffer.from(reply.body)) }
    const answer = z.looseObject({ data: z.object({ audio: z.string() }) }).parse(JSON.parse(reply.body))
    const audio = change(Buffer.from(answer.data.audio, 'hex')).toString('hex')
    return { ...reply, body: JSON.stringify({ ...answer, data: { ...answer.data, audio } }) }
  },
})
const changedText = (change: (text: string) => string): ProviderFault => ({
  is: 'changed',
  change: (reply) => ({ ...reply, body: change(String(reply.body)) }),
})
const instead = (reply: ProviderReply): ProviderFault => ({ is: 'instead', reply })

const passing: [string, ProviderFault][] = [
  ['breaks off', { is: 'cut' }],
  ['is overloaded', instead(htmlReply(503))],
]
/** Each fault occurs twice, because one unusable response is retried. */
const unusable: [string, ProviderFault][] = [
  ['sends silence', changedSound((pcm) => pcm.fill(0))],
  ['sends half a sample', changedSound((pcm) => pcm.subarray(0, -1))],
  ['sends a click', changedSound((pcm) => pcm.subarray(0, 2000))],
  ['sends nothing', changedSound(() => Buffer.alloc(0))],
  ['sends an hour', changedSound((pcm) => Buffer.concat(Array.from({ length: 60 }, () => pcm)))],
  ['never stops', { is: 'endless' }],
  ['sends a web page', instead(htmlReply())],
  ['sends other JSON', instead(jsonReply({ base_resp: { status_code: 0 }, data: null }))],
]
const ofMinimax: [string, ProviderFault, ProviderFault?][] = [
  ['limits the rate', instead(minimaxError(1002))],
  ['does not know the key', instead(minimaxError(1004))],
  ['has no balance', instead(minimaxError(1008))],
  ...[
    changedText((text) => text.replace(/"audio":"../, '"audio":"zz')),
    changedText((text) => text.replace(/"audio":"./, '"audio":"')),
    changedText((text) => text.replace(/"audio_length":\d+/, '"audio_length":60000')),
  ].map((fault, index): [string, ProviderFault, ProviderFault] => [`sends odd hex (${index})`, fault, fault]),
]
const ofOpenai: [string, ProviderFault, ProviderFault?][] = [
  ['limits the rate', instead(jsonReply({}, 429))],
  ['does not know the key', instead(openaiError(401, 'invalid_api_key'))],
  ['has no quota', instead(openaiError(429, 'insufficient_quota'))],
  ...['RIFF', 'ID3\u0004'].map((start): [string, ProviderFault, ProviderFault] => {
    const fault = changedSound((pcm) => Buffer.concat([Buffer.from(start), pcm]))
    return [`sends ${start.slice(0, 3)}`, fault, fault]
  }),
]
/** Both engines share the code that checks responses, so the usual run tests one. */
const judged = engines.slice(0, figure(1, engines.length))
const faults = engines.flatMap((engine) =>
  [
    ...passing,
    ...(judged.includes(engine) ? unusable : []).map(([what, fault]): [string, ProviderFault, ProviderFault] => [
      what,
      fault,
      fault,
    ]),
    ...(engine === 'minimax' ? ofMinimax : ofOpenai),
  ].map(([what, ...list]) => ({ engine, what, list })),
)

describe('when the provider fails', () => {
  it.each(faults)(
    'because $engine $what, nothing is charged, and the same signature buys the narration afterwards',
    async ({ engine, what, list }) => {
      const site = siteOf(engine)
      const input = { text: `What if the provider ${what}?`, model: 'speech-2.8-turbo' }
      const { header } = await sign(url, post(input), { privateKey, fetch: site.fetch })
      const { headers, ...init } = post(input)
      const send = () => site.fetch(url, { ...init, headers: { ...headers, 'PAYMENT-SIGNATURE': header } })
      const before = (await money.transfersTo()).length
      providerOf(engine).faults.push(...list.filter((fault) => fault !== undefined))
      const failed = await send()
      const text = await failed.text()
      expect([failed.status, JSON.parse(text)]).toMatchObject([502, { charged: false, retryable: true }])
      expect(Number(failed.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(providerOf(engine).faults).toEqual([])
      expect(await money.transfersTo()).toHaveLength(before)
      expect((await send()).status).toBe(200)
      expect(await money.transfersTo()).toHaveLength(before + 1)
      expect(text + site.output()).not.toContain(providerOf(engine).key)
      expect(site.output()).toMatch(new RegExp(`"media.failed","product":"narrate","engine":"${engine}"`))
    },
  )

  it.each(engines)('with one response that is not speech, %s is asked once more', async (engine) => {
    providerOf(engine).faults.push(changedSound((pcm) => pcm.fill(0)))
    expect((await buy(engine, { text: `Once more, ${engine}.` })).status).toBe(200)
    expect(providerOf(engine).faults).toEqual([])
  })

  it.each([
    ['minimax', minimaxError(1026)],
    ['openai', openaiError(400, 'content_policy_violation')],
  ] as const)('because %s refuses the text, it is the text that is wrong', async (engine, reply) => {
    const before = (await money.transfersTo()).length
    providerOf(engine).faults.push(instead(reply))
    const refused = await buy(engine, { text: 'A text that is refused.' })
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { charged: false, errors: [{ pointer: '/text' }] },
    ])
    expect(await money.transfersTo()).toHaveLength(before)
  })
})

describe('sentence groups that arrive out of order', () => {
  it.each(engines.slice(0, figure(1, engines.length)))(
    'are put in order: the same bytes from %s, fast or slow, with at most two calls at a time',
    async (name) => {
      const provider = providerOf(name)
      const key = () => provider.key
      const engine = openSpeechEngine(
        name === 'minimax'
          ? { is: name, baseUrl: provider.url, groupId: undefined, key }
          : { is: name, baseUrl: `${provider.url}/v1`, model: 'tts-1', key },
      )
      if (!engine) throw new Error('no engine')
      const lines = { length: name === 'minimax' ? 30 : 60 }
      const text = Array.from(lines, (_, n) => `Line ${n} is read in its place, however late it comes.`).join(' ')
      let inFlight = 0
      let most = 0
      const watched = {
        ...engine,
        speak: async (...call: Parameters<typeof engine.speak>) => {
          inFlight += 1
          most = Math.max(most, inFlight)
          return engine.speak(...call).finally(() => {
            inFlight -= 1
          })
        },
      }
      const narrator = makeNarrator({ engine: watched, threads: 1 })
      const ask = () =>
        narrator.narrate({ units: toUnits({ text }), voiceId: '', speed: 2, model: 'turbo', title: 'A', artist: 'B' })
      const quick = await ask()
      provider.faults.push({ is: 'delay', ms: 300 }, { is: 'delay', ms: 0 }, { is: 'delay', ms: 100 })
      const slow = await ask()
      await narrator.close()
      expect(Buffer.compare(quick.mp3, slow.mp3)).toBe(0)
      expect(most).toBe(2)
    },
  )

  it('are not awaited after the caller has gone', async () => {
    const engine = openSpeechEngine({ is: 'minimax', baseUrl: minimax.url, groupId: undefined, key: () => minimax.key })
    const narrator = makeNarrator({ ...(engine && { engine }), threads: 1 })
    minimax.faults.push({ is: 'silence' })
    const request = {
      units: toUnits({ text: 'Gone.' }),
      voiceId: '',
      speed: 1,
      model: 'hd',
      title: 'A',
      artist: 'B',
    } as const
    await expect(narrator.narrate(request, { signal: AbortSignal.timeout(100) })).rejects.toThrow('timeout')
    await narrator.close()
  })
})
