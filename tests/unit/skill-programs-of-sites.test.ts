import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { diagnose } from '../../functions/session-status/report/diagnose.ts'
import { checksum } from '../../src/core/checksum.ts'
import { listen } from '../../src/http/listen.ts'
import { isHere } from '../support/deployed-proxies.ts'
import { flawless, toProbes } from '../support/example-site.ts'
import { installSkill } from '../support/read-skill.ts'

const execute = promisify(execFile)

/** Installs a skill and returns the path of one of its programs. */
function load(slug: string, file: string, change?: (text: string) => string) {
  const { folder } = installSkill(slug, change)
  return { folder, file: join(folder, file) }
}

describe('the content negotiation in the skill about agent-ready sites', () => {
  it('ranks accepted types', async () => {
    const { file } = load('agent-ready-site', 'negotiate.ts')
    const { wanted, answer } = await import(/* @vite-ignore */ file)
    const asked = [
      null,
      '*/*',
      'text/markdown',
      'text/markdown, text/html;q=0.9',
      'text/plain, text/html;q=0.9',
      'text/html, text/markdown;q=0.5',
    ]
    expect(asked.map((accept) => wanted(accept))).toEqual(['html', 'html', 'markdown', 'markdown', 'text', 'html'])
    const page = { html: '<h1>x</h1>', markdown: '# x' }
    const twin: Response = answer(new Request('https://shop.example/a.md'), '/a', page)
    expect([await twin.text(), twin.headers.get('vary')]).toEqual(['# x', 'Accept'])
  })
})

describe('the functions of the skill about feeds', () => {
  it('escape characters that XML cannot contain, once', async () => {
    const { file } = load('feed-doctor', 'feed-text.mjs')
    const { xml, cdata, rfc822, rfc3339, podcastGuid } = await import(/* @vite-ignore */ file)
    expect([xml('a & <b>\u0007'), cdata('a]]>b')]).toEqual(['a &#38; &#60;b&#62;', '<![CDATA[a]]]]><![CDATA[>b]]>'])
    expect([rfc822('2026-11-20T08:00:00Z'), rfc3339('2026-11-20T08:00:00Z')]).toEqual([
      'Fri, 20 Nov 2026 08:00:00 GMT',
      '2026-11-20T08:00:00Z',
    ])
    // The example in the documentation of the podcast namespace.
    expect(podcastGuid('https://mp3s.nashownotes.com/pc20rss.xml')).toBe('917393e3-1b1e-5cef-ace4-edaa54e1f810')
  })
})

describe('the programs of the skill about podcasts', () => {
  const { folder } = installSkill('podcast-from-posts')
  const use = (file: string) => import(/* @vite-ignore */ join(folder, file))

  it('split a text into sentences, exact cues and captions', async () => {
    const [{ sentences }, { assemble }, { webVtt, chaptersJson }] = [
      await use('sentences.ts'),
      await use('assemble.ts'),
      await use('captions.ts'),
    ]
    const said: string[] = sentences('Dr. Ada counts the tides. They rise & fall.')
    expect(said).toEqual(['Dr. Ada counts the tides.', 'They rise & fall.'])
    const units = said.map((text, at) => ({
      text,
      pcm: new Int16Array(24_000),
      endsParagraph: at === 1,
      ...(at === 0 && { chapter: 'Tides' }),
    }))
    const { pcm, seconds, cues, chapters } = assemble(units, 24_000)
    expect([pcm.length / 2 / 24_000, cues[1].start]).toEqual([seconds, expect.closeTo(1.58)])
    expect(webVtt(cues)).toBe(
      'WEBVTT\n\n1\n00:00:00.200 --> 00:00:01.200\nDr. Ada counts the tides.\n\n2\n00:00:01.580 --> 00:00:02.580\nThey rise &amp; fall.\n',
    )
    expect(JSON.parse(chaptersJson(chapters)).chapters).toEqual([{ startTime: 0.2, title: 'Tides' }])
  })

  it('produce what a reader would say aloud, in units with chapters', async () => {
    const [{ blocks, forVoice }, { unitsOf }] = [await use('speakable.ts'), await use('make.ts')]
    const post = [
      '# Tides & coins\n\nPay **$0.10**, e.g. at [the shop](https://shop.example/a?b=1), on 2026-11-20. It rose 5%.',
      '```sql\nselect 1\n```\n\n| what | price |\n|---|---|\n| A | €5 |\n\n1. one\n2. ~~old~~ two 🙂\n\n<div>no</div>',
      '![a boat](boat.png) https://www.shop.example/x.',
    ].join('\n\n')
    expect(blocks(post).map(({ text }: { text: string }) => forVoice(text))).toEqual([
      'Tides & coins.',
      'Pay 10 cents, for example at the shop, on November 20, 2026. It rose 5 percent.',
      'The written version shows a sql example here.',
      'A, price: 5 euros.',
      '1: one.',
      '2: two.',
      'a boat shop dot example.',
    ])
    const said: string[] = []
    const voice = {
      rate: 24_000,
      say: async (text: string) => {
        said.push(text)
        return new Int16Array(text.length)
      },
    }
    const units = await unitsOf('# Tides\n\nThey rise 5%. They fall.', voice)
    expect(said).toEqual(['Tides.', 'They rise 5 percent.', 'They fall.'])
    expect(units).toMatchObject([
      { text: 'Tides.', chapter: 'Tides', endsParagraph: true },
      { text: 'They rise 5%.', endsParagraph: false },
      { text: 'They fall.', endsParagraph: true },
    ])
    await expect(unitsOf('<div>no</div>', voice)).rejects.toThrow('nothing to say')
  })

  it('normalize the loudness of a voice, with chapters and cover', async ({ skip }) => {
    skip(!isHere('ffmpeg'), 'ffmpeg is not installed here; .ci/run installs it')
    const { ffmetadata } = await use('captions.ts')
    // A stand-in for a quiet voice: a tone that is turned on and off four times a second.
    const voice = Int16Array.from({ length: 24_000 * 6 }, (_, at) =>
      Math.round(2000 * Math.sin((at * 2 * Math.PI * 220) / 24_000) * Math.sin((at * 2 * Math.PI * 2) / 24_000) ** 2),
    )
    const chapters = [
      { start: 0, title: 'Ebb; and = flow' },
      { start: 3, title: 'Springs' },
    ]
    writeFileSync(join(folder, 'voice.s16le'), Buffer.from(voice.buffer))
    writeFileSync(join(folder, 'chapters.ffmeta'), ffmetadata('Tides', 'The show', chapters, 6))
    await sharp({ create: { width: 600, height: 600, channels: 3, background: '#b05a2a' } })
      .jpeg()
      .toFile(join(folder, 'cover-600.jpg'))
    const args = ['master.sh', 'voice.s16le', '24000', 'chapters.ffmeta', 'cover-600.jpg', 'episode.mp3']
    const { stdout } = await execute('sh', args, { cwd: folder })
    const [, loudness, peak, bytes] = /^(\S+) (\S+) LUFS, dBTP; (\d+) bytes$/m.exec(stdout) ?? []
    expect(Math.abs(Number(loudness) + 16)).toBeLessThan(0.5)
    expect(Number(peak)).toBeLessThanOrEqual(-1)
    expect(Number(bytes)).toBe(statSync(join(folder, 'episode.mp3')).size)
    const probe = ['-v', 'error', '-of', 'json', '-show_chapters', '-show_format', '-show_streams', 'episode.mp3']
    expect(JSON.parse((await execute('ffprobe', probe, { cwd: folder })).stdout)).toMatchObject({
      streams: [{ codec_name: 'mp3', sample_rate: '48000', channels: 1, bit_rate: '96000' }, { width: 600 }],
      chapters: [{ tags: { title: 'Ebb; and = flow' }, end_time: '3.000000' }, { tags: { title: 'Springs' } }],
      format: { tags: { title: 'Tides', album: 'The show', genre: 'Podcast' } },
    })
  })

  it('write a feed in which our diagnosis finds no fault', async () => {
    const { feed, podcastGuid } = await use('feed.ts')
    const self = 'https://example.com/rss.xml'
    const body = feed({
      ...{ self, guid: podcastGuid(self), title: 'Tides', link: 'https://example.com/', description: 'Heard.' },
      ...{
        language: 'en',
        author: 'Ada',
        email: 'ada@example.com',
        image: 'https://example.com/a.jpg',
        category: 'Arts',
      },
      episodes: [
        {
          ...{ title: 'One & two', link: 'https://example.com/one', guid: 'one', date: '2026-11-20T08:00:00Z' },
          ...{
            html: '<p>x</p>',
            image: 'https://example.com/1.jpg',
            texts: 'https://example.com/1',
            hasChapters: true,
          },
          audio: { url: 'https://example.com/1.mp3', bytes: 9000, seconds: 61 },
        },
      ],
    })
    const answers = { ...flawless, '/rss.xml': { ...Object(flawless['/rss.xml']), body } }
    const { findings } = diagnose({
      siteUrl: 'https://example.com',
      probedAt: new Date('2026-11-21T09:00:00Z'),
      probes: toProbes(answers),
      skillUrls: new Map(),
    })
    expect(findings).toEqual([])
  })

  it('serve byte ranges of a recording', async () => {
    const { serveAudio } = await use('serve.ts')
    const path = join(folder, 'one.mp3')
    writeFileSync(path, '0123456789')
    const files = new Map([['/one.mp3', { path, size: 10, etag: '"1"' }]])
    const ask = (range: string): Response =>
      serveAudio(new Request('https://shop.example/one.mp3', { headers: { range } }), files)
    const part = ask('bytes=2-4')
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 2-4/10', '234'])
    expect(ask('bytes=10-').status).toBe(416)
  })
})

describe('the index of the skill about agent-ready sites', () => {
  it('lists a skill with the digest of the bytes that are served', async () => {
    const { folder } = load('agent-ready-site', 'skills-index.ts')
    const root = join(folder, 'dist/.well-known/agent-skills')
    mkdirSync(join(root, 'buy-from-shop'), { recursive: true })
    writeFileSync(join(root, 'buy-from-shop/SKILL.md'), '# Buy\n')
    await execute(process.execPath, ['skills-index.ts'], { cwd: folder })
    const { skills } = JSON.parse(readFileSync(join(root, 'index.json'), 'utf8'))
    expect(skills).toMatchObject([{ name: 'buy-from-shop', digest: `sha256:${checksum('# Buy\n')}` }])
  })
})

describe('the voices in the skill about podcasts', () => {
  it('request samples from a server by the OpenAI protocol', async () => {
    const { file } = load('podcast-from-posts', 'voices.ts')
    const { openAiVoice } = await import(/* @vite-ignore */ file)
    const server = createServer((_, response) => response.end(Buffer.from(new Int16Array([1, -2, 3]).buffer)))
    const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
    const voice = openAiVoice(`http://127.0.0.1:${port}/v1`, 'key', 'tts-1', 'alloy')
    expect(await voice.say('x', AbortSignal.timeout(5000))).toEqual(new Int16Array([1, -2, 3]))
    server.close()
  })
})
