import sharp from 'sharp'
import { expect } from 'vitest'
import { captionedSchema } from '../../../functions/narrate/captioned.ts'
import { checksum } from '../../../src/core/checksum.ts'
import { testBaseUrl } from '../../support/running-site.ts'
import type { Proofs } from './open-worth-shop.ts'

/** Proofs for the products that are made for each buyer, and for the skills. */
export const workProofs: Proofs = {
  'llms-pack': {
    'the text of a page without its navigation, as markdown with absolute links': async (shop) => {
      const text = await (await shop.pack('/tides')).text()
      expect(text).toContain('The [moon](https://news.test/moon).')
      expect(text).not.toMatch(/Home|</)
    },
    'feeds, JSON and CSV as readable text': async (shop) => {
      const answer = await shop.pack('/feed', '/data', '/table')
      const [feed = '', data = '', table = ''] = (await answer.text()).split('\n---\n')
      expect([feed.split('\n')[0], data.split('\n')[0]]).toEqual(['News', 'Heights'])
      expect(table).toContain('| day | height |')
      expect(answer.headers.get('x-pack-failed')).toBe('0')
    },
    'the text of a PDF, page by page and line by line': async (shop) => {
      const [title, , facts, , ...lines] = (await (await shop.pack('/paper')).text()).split('\n')
      expect([title, facts, lines]).toEqual([
        'On tides',
        expect.stringMatching(/^application\/pdf, \d+ bytes/),
        ['The bay', '', 'It has tides.'],
      ])
    },
    'type, size, tokens and time of each page': async (shop) => {
      const [, , facts = ''] = (await (await shop.pack('/tides')).text()).split('\n')
      const [, type, bytes, tokens, at = ''] =
        /^(\S+), (\d+) bytes, about (\d+) tokens, fetched (\S+)$/.exec(facts) ?? []
      expect([type, Number(bytes) > 50, Number(tokens) > 3]).toEqual(['text/html', true, true])
      expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(600_000)
    },
    'empty shells are reported as such, and nothing is charged if all pages are': async (shop) => {
      expect(await (await shop.pack('/app', '/tides')).text()).toContain('[not fetched: an empty shell')
      const { length } = await shop.money.transfersTo()
      const none = await shop.pack('/app')
      expect([none.status, await none.json()]).toMatchObject([
        502,
        { charged: false, detail: expect.stringContaining('an empty shell') },
      ])
      expect(await shop.money.transfersTo()).toHaveLength(length)
    },
  },
  'session-status': {
    'all twelve requested at once, with what is wrong and what to do about it, the most serious first': async (
      shop,
    ) => {
      const report = await (await shop.send('/api/x402/cms/session-status', { siteUrl: 'https://news.test/' })).json()
      expect(report.surfaces).toHaveLength(12)
      const grave = report.findings.map(({ severity }: { severity: string }) =>
        ['high', 'medium', 'low', 'info'].indexOf(severity),
      )
      expect([grave.length > 3, grave.toSorted((one: number, other: number) => one - other)]).toEqual([true, grave])
      expect(report.recommendations.length).toBeGreaterThan(3)
    },
    'the file that each piece of advice is about, and what our skills teach about robots.txt, feeds and llms.txt':
      async (shop) => {
        const report = await (await shop.send('/api/x402/cms/session-status', { siteUrl: 'https://news.test/' })).json()
        const files = report.recommendations.map(({ file }: { file: string }) => file)
        expect(files).toEqual(expect.arrayContaining(['index.html', 'robots.txt', 'llms.txt']))
        expect(report.findings[0]).toMatchObject({ id: 'front-missing', surface: '/' })
      },
  },
  'image-generate': {
    'a picture drawn for this title, in the requested size, with a text alternative': async (shop) => {
      const draw = (title: string) => shop.send('/api/x402/media/image/generate', { title, aspectRatio: '1:1' })
      const [tides, bread] = [await draw('Tides'), await draw('Bread')]
      expect(decodeURIComponent(tides.headers.get('x-image-alt') ?? '').length).toBeGreaterThan(10)
      const [one, other] = [new Uint8Array(await tides.arrayBuffer()), new Uint8Array(await bread.arrayBuffer())]
      const { format, width, height } = await sharp(one).metadata()
      expect([format, width === height, Number(width) >= 1200]).toEqual(['jpeg', true, true])
      expect(checksum(one)).not.toBe(checksum(other))
    },
  },
  narrate: {
    'an MP3 to keep and publish, with its length known before it is played': async (shop) => {
      const answer = await shop.send('/api/x402/media/narrate', { text: 'The sea rises twice a day.' })
      const seconds = Number(answer.headers.get('x-audio-duration-seconds'))
      const sound = new Uint8Array(await answer.arrayBuffer())
      expect([answer.headers.get('content-type'), seconds > 1, seconds < 10]).toEqual(['audio/mpeg', true, true])
      expect(sound.byteLength).toBeGreaterThan(10_000)
    },
    'with `captions` the times of every sentence, as data and as WebVTT': async (shop) => {
      const answer = await shop.send('/api/x402/media/narrate', { text: 'One. Two.', captions: true })
      const { sentences, webVtt } = captionedSchema.parse(await answer.json())
      expect(sentences.map(({ text }) => text)).toEqual(['One.', 'Two.'])
      expect(webVtt).toMatch(/^WEBVTT[\s\S]* --> [\s\S]*One\.[\s\S]* --> [\s\S]*Two\.\n$/)
    },
  },
  skill: {
    'the whole text (the page shows its beginning), with the SHA-256 that the manifest promised': async (shop) => {
      const { items } = JSON.parse(await shop.free('/skills.json'))
      const [{ rawUrl, previewUrl, digest }] = items
      const text = await (await shop.buy(rawUrl.slice(testBaseUrl.length))).text()
      expect(`sha256:${checksum(text)}`).toBe(digest)
      expect((await shop.free(`${previewUrl.slice(testBaseUrl.length)}.md`)).length).toBeLessThan(text.length)
      expect(await shop.free(`${previewUrl.slice(testBaseUrl.length)}.md`)).not.toContain(text.slice(-300))
    },
  },
}
