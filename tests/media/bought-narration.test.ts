import { setTimeout as wait } from 'node:timers/promises'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { captionedSchema } from '../../functions/narrate/captioned.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { readWebVtt } from '../../src/narration/episodes/read-webvtt.ts'
import { launch } from '../support/browser.ts'
import { decodeMp3 } from '../support/decode-mp3.ts'
import { describeSound } from '../support/describe-sound.ts'
import { figure } from '../support/figures.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { readMp3 } from '../support/read-mp3.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { payingFetch, sign } from '../support/stock-client.ts'
import { testBrowser } from '../support/test-browser.ts'

const url = `${testBaseUrl}/api/x402/media/narrate`
const { privateKey } = sandboxAccounts.buyer
const prose =
  'A farthing was a quarter of a penny. It was struck with care, nevertheless, for seven hundred years. Small prices need small money. A card payment costs more than a page is worth; a coin does not! Who pays? Whoever reads.'

let money: RunningMoney
let site: RunningSite
let browser: Browser
beforeAll(async () => {
  browser = await launch(testBrowser())
  money = await startMoney()
  site = await startSite(money)
})
afterAll(async () => {
  await browser?.close()
  await site?.kill('SIGTERM')
  await money?.stop()
})

const post = (input: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(input),
})
const buy = (input: object) => payingFetch(privateKey, site.fetch)(url, post(input))
const bytesOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer())

/** Signs a payment for one request, and returns a function that sends that payment with any request. */
async function signOnce(input: object) {
  const { header } = await sign(url, post(input), { privateKey, fetch: site.fetch })
  return (other: object) => {
    const { headers, ...init } = post(other)
    return site.fetch(url, { ...init, headers: { ...headers, 'PAYMENT-SIGNATURE': header } })
  }
}

describe('a narration that the stock client buys', () => {
  it.each([
    ['speech-2.8-hd', 48_000, 288],
    ['speech-2.8-turbo', 24_000, 192],
  ] as const)(
    'with %s is speech of the right length and loudness, as a browser hears it',
    async (model, rate, frame) => {
      const answer = await buy({ text: prose, model })
      const mp3 = await bytesOf(answer)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
      expect(answer.headers.get('content-length')).toBe(String(mp3.byteLength))
      expect([answer.headers.get('x-voice-id'), answer.headers.get('x-media-engine')]).toEqual([
        'English_SereneWoman',
        'embedded',
      ])
      expect(answer.headers.get('access-control-expose-headers')).toMatch(/X-Media-Engine.*X-Audio-Duration-Seconds/)
      const file = readMp3(mp3)
      expect([file.sampleRate, [...file.sizes]]).toEqual([rate, [frame]])

      const seconds = Number(answer.headers.get('x-audio-duration-seconds'))
      const { samples } = await decodeMp3(browser, mp3, rate)
      expect(Math.abs(samples.length / rate - seconds)).toBeLessThan(0.1)
      const wordsPerMinute = (prose.split(/\s+/).length * 60) / seconds
      expect(wordsPerMinute).toBeGreaterThan(110)
      expect(wordsPerMinute).toBeLessThan(220)
      const sound = describeSound(samples, rate)
      expect(sound.lufs).toBeGreaterThan(-17)
      expect(sound.lufs).toBeLessThan(-15)
      expect(sound.loudShare).toBeGreaterThan(0.5)
      expect(sound.loudShare).toBeLessThan(0.95)
      expect(sound.voicedShare).toBeGreaterThan(0.5)
      expect(sound.pauses).toBeGreaterThanOrEqual(5)
    },
  )

  it('returns the same bytes for another signature', async () => {
    const text = `${prose} `.repeat(2)
    const first = await bytesOf(await buy({ text }))
    const second = await bytesOf(await buy({ text }))
    expect(Buffer.compare(first, second)).toBe(0)
    const slower = await bytesOf(await buy({ text, speed: 0.9 }))
    expect(slower.byteLength).toBeGreaterThan(first.byteLength * 1.05)
  })

  it('uses the nearest voice when the requested one is unknown, and names it', async () => {
    for (const [asked, spoken] of [
      ['Deep_Voice_Man', 'English_DeepMan'],
      ['nobody knows this', 'English_CalmMan'],
      [undefined, 'English_SereneWoman'],
      ['english_calmman', 'English_CalmMan'],
    ])
      expect((await buy({ text: 'Hello.', voiceId: asked })).headers.get('x-voice-id')).toBe(spoken)
  })

  it('pauses after each heading and list item of rich text', async () => {
    const block = (text: string, more = {}) => ({ _type: 'block', children: [{ _type: 'span', text }], ...more })
    const item = (text: string) => block(text, { listItem: 'bullet', level: 1 })
    const blocks = [
      block('The title', { style: 'h2' }),
      item('silver'),
      item('copper'),
      { _type: 'image' },
      block('End'),
    ]
    const answer = await buy({ blocks, model: 'speech-2.8-turbo' })
    const { samples, rate } = await decodeMp3(browser, await bytesOf(answer), 24_000)
    expect(describeSound(samples, rate).pauses).toBe(4)
  })

  it('reads the speakable parts of a mixed text', async () => {
    for (const text of [
      'Tea 🍵 is called ocha, お茶, in Japan.',
      'Naïve café, 5 €, π ≈ 3.14',
      '42',
      '<speak>Hi</speak>',
    ])
      expect([text, (await buy({ text })).status]).toEqual([text, 200])
  })
})

describe('a narration with captions', () => {
  it('is one document with the same sound, WebVTT, and the times of every sentence and heading', async () => {
    const text = '# A heading\n\nOne sentence. Another & more.'
    const answer = await buy({ text, captions: true, model: 'speech-2.8-turbo' })
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      200,
      'application/json; charset=utf-8',
      'inline; filename="narration.json"',
    ])
    const captioned = captionedSchema.parse(await answer.json())
    const mp3 = await bytesOf(await buy({ text, model: 'speech-2.8-turbo' }))
    expect(Buffer.from(captioned.audio.base64, 'base64').equals(mp3)).toBe(true)
    expect(captioned.audio.bytes).toBe(mp3.byteLength)
    expect(captioned.sentences.map((sentence) => sentence.text)).toEqual([
      'A heading',
      'One sentence.',
      'Another & more.',
    ])
    expect(captioned.chapters).toEqual([{ start: 0, title: 'A heading' }])
    const file = readMp3(mp3)
    expect(captioned.durationSeconds).toBeCloseTo(file.info.samples / file.sampleRate, 2)
    const { samples, rate } = await decodeMp3(browser, mp3, 24_000)
    for (const { start, end } of captioned.sentences) {
      const loudness = (from: number, to: number) => Math.max(...samples.slice(from * rate, to * rate).map(Math.abs))
      expect(loudness(start, end)).toBeGreaterThan(0.1)
      expect(loudness(end + 0.1, end + 0.25)).toBeLessThan(0.02)
    }
    expect(
      readWebVtt(captioned.webVtt).map(({ startMs, endMs, ...cue }) => ({
        start: startMs / 1000,
        end: endMs / 1000,
        ...cue,
      })),
    ).toEqual(captioned.sentences)
  })
})

describe('a text that cannot be read aloud', () => {
  it.each([
    ['emoji alone', '🪙 🍵', /no words/],
    ['another script', 'これはテストです。', /Latin/],
    ['mostly another script', 'これはテストです。 OK', /Japanese.*speaks English/],
    ['German', 'Die Münze ist alt, und sie war einmal viel wert. Ich habe noch eine.', /German.*speaks English/],
    ['numbers for an hour', '777,777 '.repeat(1180), /would last about \d+ minutes; 30 are the most/],
    ['9,501 characters', 'a'.repeat(9501), /9500/],
  ])('(%s) is refused with 400 and not charged, and the same signature buys another', async (_, text, reason) => {
    const before = (await money.transfersTo()).length
    const send = await signOnce({ text })
    const refused = await send({ text })
    const problem = await refused.json()
    expect([refused.status, problem]).toMatchObject([400, { charged: false, retryable: false }])
    expect(problem.errors).toEqual([{ pointer: '/text', detail: expect.stringMatching(reason) }])
    expect(await money.transfersTo()).toHaveLength(before)
    expect((await send({ text: 'Hello.' })).status).toBe(200)
    expect(await money.transfersTo()).toHaveLength(before + 1)
  })
})

describe('the price of a text that cannot be read aloud', () => {
  const quote = async (input: object) => {
    const answer = await site.fetch(url, post(input))
    return [answer.status, (await answer.json()).errors]
  }

  it.each([
    ['emoji alone', { text: '🪙 🍵' }, '/text', /no words/],
    ['another script', { text: 'これはテストです。' }, '/text', /Latin/],
    ['German blocks', { blocks: [{ text: 'Die Münze ist alt, und sie war einmal viel wert.' }] }, '/blocks', /German/],
  ])('(%s) comes with the reason before anything is signed', async (_, input, pointer, reason) => {
    expect(await quote(input)).toEqual([402, [{ pointer, detail: expect.stringMatching(reason) }]])
  })

  it('comes without faults when the text can be read aloud', async () => {
    for (const input of [{ text: 'Tea is called ocha, お茶, in Japan.' }, { blocks: [{ text: 'Hello.' }] }])
      expect(await quote(input)).toEqual([402, undefined])
  })
})

const length = figure(3000, 9500)
describe(`the site while ${length} characters are narrated`, { timeout: 600_000 }, () => {
  it('answers all other requests', async () => {
    const text = `${prose} `.repeat(50).slice(0, length)
    let isDone = false
    const bought = buy({ text, speed: 2, model: 'speech-2.8-turbo' }).finally(() => {
      isDone = true
    })
    let answered = 0
    while (!isDone) {
      expect((await site.fetch('/healthz')).status).toBe(200)
      answered++
      await wait(20)
    }
    const answer = await bought
    expect(answer.status).toBe(200)
    expect(Number(answer.headers.get('x-audio-duration-seconds'))).toBeGreaterThan(length / 48)
    expect(answered).toBeGreaterThan(50)
  })
})
