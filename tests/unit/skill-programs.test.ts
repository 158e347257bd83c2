import { execFile, spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { diagnose } from '../../functions/session-status/report/diagnose.ts'
import { findFreePort } from '../../src/sandbox/port.ts'
import { flawless, toProbes } from '../support/example-site.ts'
import { installSkill } from '../support/read-skill.ts'

const execute = promisify(execFile)

/** Installs a skill and says where one of its programs is. */
function load(slug: string, file: string, change?: (text: string) => string) {
  const { folder } = installSkill(slug, change)
  return { folder, file: join(folder, file) }
}
const skillText = (slug: string): string => readFileSync(`content/skills/${slug}/SKILL.md`, 'utf8')

describe.each(readdirSync('content/skills'))('the skill %s', (slug) => {
  const { folder, text } = installSkill(slug)

  it('takes an agent at most 5,000 tokens, its programs beside it', () => {
    expect(countTokens(text.replace(/^---[\s\S]*?\n---\n/, ''))).toBeLessThanOrEqual(5000)
    const programs = [...text.matchAll(/^It is beside this file: `scripts\/(.+)`\.$/gm)].map(([, name = '']) => name)
    expect(programs.length).toBeGreaterThan(0)
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(programs))
  })
})

describe('the guard of the skill about fetching', () => {
  /** The inputs of a row of its tables. */
  const inputsOf = (row: string): string[] => {
    const line =
      skillText('ssrf-safe-fetch')
        .split('\n')
        .find((each) => each.startsWith(`| ${row} |`)) ?? ''
    const cells = line.split(' | ').slice(1).join(' | ')
    return [...(cells.split('; ok')[0]?.matchAll(/`([^`]+)`/g) ?? [])].map(([, input = '']) => input)
  }

  it('refuses every address of its own tables, and lets the public ones through', async () => {
    const { file } = load('ssrf-safe-fetch', 'guarded-fetch.ts')
    const { checkUrl, isPublicAddress } = await import(/* @vite-ignore */ file)
    const rows = [
      'loopback spellings',
      'IPv6 literals',
      'schemes',
      'user info',
      'ports',
      'special names',
      'broken names',
    ]
    for (const row of rows) {
      const inputs = inputsOf(row)
      expect(inputs.length, row).toBeGreaterThan(1)
      for (const input of inputs) expect(() => checkUrl(input), input).toThrow()
    }
    for (const row of ['false, IPv4', 'false, IPv6'])
      expect(inputsOf(row).filter((address) => isPublicAddress(address))).toEqual([])
    expect(inputsOf('true').filter((address) => !isPublicAddress(address))).toEqual([])
    expect(checkUrl('https://example.com:443/#x').href).toBe('https://example.com/')
  })
})

describe('the programs of the skill about SQLite', () => {
  const fewer = (text: string): string => text.replace('kills = 100', 'kills = 2').replaceAll('2000', '40')

  it('lose nothing that was acknowledged when they are killed, and never read a damaged log as a whole one', async () => {
    const { folder } = load('sqlite-in-production', 'crash-parent.ts', fewer)
    const node = async (file: string) => (await execute(process.execPath, [file], { cwd: folder })).stdout
    expect(await node('crash-parent.ts')).toMatch(/kills: 2, acknowledged: [1-9]\d*, lost: 0/)
    expect(await node('torn-log.ts')).toMatch(/runs: 40, distinctPrefixes: \d+/)
  })
})

describe('the negotiation of the skill about agent-ready sites', () => {
  it('ranks what is accepted', async () => {
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
  it('escape what XML cannot hold, once', async () => {
    const { file } = load('feed-doctor', 'feed-text.mjs')
    const { xml, cdata, rfc822, rfc3339, podcastGuid } = await import(/* @vite-ignore */ file)
    expect([xml('a & <b>\u0007'), cdata('a]]>b')]).toEqual(['a &#38; &#60;b&#62;', '<![CDATA[a]]]]><![CDATA[>b]]>'])
    expect([rfc822('2026-11-20T08:00:00Z'), rfc3339('2026-11-20T08:00:00Z')]).toEqual([
      'Fri, 20 Nov 2026 08:00:00 GMT',
      '2026-11-20T08:00:00Z',
    ])
    // The example of the podcast namespace.
    expect(podcastGuid('https://mp3s.nashownotes.com/pc20rss.xml')).toBe('917393e3-1b1e-5cef-ace4-edaa54e1f810')
  })
})

describe('the programs of the skill about podcasts', () => {
  const { folder } = installSkill('podcast-from-posts')
  const use = (file: string) => import(/* @vite-ignore */ join(folder, file))

  it('make sentences, exact cues and captions of a text', async () => {
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

  it('write a feed in which our diagnosis finds nothing wrong', async () => {
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

  it('serve ranges of a recording', async () => {
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

describe('the server of the skill about MCP', () => {
  const { folder, text } = installSkill('mcp-server-craft')
  writeFileSync(
    join(folder, 'shop.ts'),
    `import type { Shop } from './tools.ts'
const posts = Array.from({ length: 30 }, (_, at) => ({ slug: \`post-\${at}\`, title: 'On agents', excerpt: 'x', body: 'agents' }))
export const shop: Shop = {
  search: (_, offset, limit) => ({ total: posts.length, posts: posts.slice(offset, offset + limit) }),
  find: (slug) => posts.find((post) => post.slug === slug),
}`,
  )
  writeFileSync(
    join(folder, 'stdio.ts'),
    `import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { shop } from './shop.ts'
import { build } from './tools.ts'
serveStdio(() => build(shop))`,
  )

  it('passes its own test with a real client, in both eras and over both transports', async () => {
    const { stdout } = await execute(process.execPath, ['--test', '--test-reporter=tap', 'client.test.ts'], {
      cwd: folder,
    })
    expect(stdout).toMatch(/^# pass 5\n# fail 0$/m)
  })

  it('answers the call that is written by hand', async () => {
    const port = await findFreePort()
    // In a process of its own: the package that it uses puts other classes in the place of the global Request.
    const server = spawn(process.execPath, ['http.ts'], { cwd: folder, env: { PORT: String(port) }, stdio: 'ignore' })
    const [, call = ''] = /^```sh\n(curl[\s\S]*?)^```$/m.exec(text) ?? []
    const local = call
      .replace('curl', 'curl --retry 30 --retry-delay 1 --retry-connrefused')
      .replace('https://shop.example', `http://127.0.0.1:${port}`)
      .replaceAll('hello-world', 'post-7')
    const { stdout } = await execute('sh', ['-c', local]).finally(() => server.kill())
    expect(stdout).toContain('"slug":"post-7"')
  })
})

describe('the other programs of the skill about SQLite', () => {
  const { folder, text } = installSkill('sqlite-in-production')
  const use = (file: string) => import(/* @vite-ignore */ join(folder, file))

  it('take leases whose loser learns of it, and back up what they can read again', async () => {
    const [{ openDatabase, migrate }, { steps }, { jobs }, { backUp, verify }] = [
      await use('database.ts'),
      await use('schema.ts'),
      await use('jobs.ts'),
      await use('backup.ts'),
    ]
    const path = join(folder, 'live.db')
    const db = openDatabase(path)
    migrate(db, steps)
    db.prepare("insert into sale (payment_key, micros, sold_at) values ('k', 50000, 1)").run()
    let now = 1000
    const [one, other] = ['one', 'other'].map((owner) => jobs(db, owner, 100, () => now))
    db.prepare("insert into job (kind) values ('narrate')").run()
    const lease = one.take()
    expect([lease, other.take()]).toEqual([expect.objectContaining({ kind: 'narrate', fence: 1 }), undefined])
    now += 101
    const second = other.take()
    expect(() => one.finish(lease, '{}')).toThrow('lease lost')
    other.finish(second, '{}')
    expect(await backUp(path, join(folder, 'copy.db'))).toMatch(/^[0-9a-f]{64}$/)
    expect(verify(join(folder, 'copy.db'))).toBe('{"n":1,"micros":50000}')
    db.close()
  })

  it('search for whatever somebody types', async () => {
    const { search } = await use('search.ts')
    const db = new DatabaseSync(':memory:')
    db.exec(/^```sql\n(create virtual table[\s\S]*?)^```$/m.exec(text)?.[1] ?? '')
    db.prepare("insert into page (title, body, url) values ('Tides', 'The sea & the moon', '/tides')").run()
    for (const odd of ['C++', "O'Reilly", 'a AND', '"', '', 'title:x*']) expect(search(db, odd)).toEqual([])
    expect(search(db, 'MOO')).toMatchObject([{ url: '/tides', excerpt: 'The sea &#38; the <mark>moon</mark>' }])
    db.close()
  })
})

describe('the reader of HTML of the skill about fetching', () => {
  it('keeps the words and drops the rest', async () => {
    const { file } = load('ssrf-safe-fetch', 'html-to-text.ts')
    const { htmlToText } = await import(/* @vite-ignore */ file)
    expect(htmlToText('<h1>A &amp; b</h1><script>x()</script><p>c</p>', 100).trim()).toBe('A & b\n\nc')
  })
})
