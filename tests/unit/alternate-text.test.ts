import { describe, expect, it } from 'vitest'
import { toFollowAlternate } from '../../src/alternates/follow-alternate.ts'
import { hasAlternate } from '../../src/alternates/has-alternate.ts'
import { toSkillAlternate } from '../../src/alternates/product-alternate.ts'
import { toTranscriptAlternate } from '../../src/alternates/transcript-alternate.ts'
import { alternatePath } from '../../src/core/alternate.ts'
import { toCodeBlock, toInline, toTable } from '../../src/core/markdown.ts'
import { toWrittenAlternate } from '../../src/endpoints/written-alternate.ts'
import { typesOf } from '../../src/routes/route.ts'
import { routes } from '../../src/routes/routes.ts'
import { sampleOffers, sampleSkill } from '../support/sample-shop.ts'

const base = 'https://press.example'
const write = (body: string) => toWrittenAlternate({ path: '/posts/a', title: 'A *b* <c>', summary: 'S', body }, base)

describe('the markdown of a page', () => {
  it('begins with title, summary, and the addresses of the page and of llms.txt', () => {
    expect(write('Text.')).toBe(
      `# A \\*b\\* \\<c>\n\n> S\n\nPage: <${base}/posts/a> · Index of this site for programs: <${base}/llms.txt>\n\nText.\n`,
    )
  })

  it('has absolute links to this site, except in code', () => {
    expect(write('[a](/b) and ![c](/d.png), [e](https://f.example/)')).toContain(
      `[a](${base}/b) and ![c](${base}/d.png), [e](https://f.example/)`,
    )
    expect(write('~~~md\n[a](/b)\n~~~\n[a](/b)')).toContain(`~~~md\n[a](/b)\n~~~\n[a](${base}/b)`)
  })

  it('quotes links and images in code as they were written', () => {
    const quoted = ['Write `[a](/b)` or ``![`c`](d.png)``', 'and `over\ntwo ![c](d.png) lines`', 'never \\`[a]']
    expect(write(`${quoted.join(' ')}(/b) \`.`)).toContain(`${quoted.join(' ')}(${base}/b) \`.`)
  })

  it('has absolute links to this site in link definitions, too', () => {
    expect(write('[a][b]\n\n[b]: /c "C"\n[d]: </e>')).toContain(`[b]: ${base}/c "C"\n[d]: <${base}/e>`)
  })

  it('leaves inline code unchanged, and finds links in every syntax', () => {
    expect(write('Write `[a](/b)` and \\[c](/d).')).toContain('Write `[a](/b)` and \\[c](/d).')
    expect(write('[a](#b), [c](d), [e][f], [g](\n/h)\n\n[f]: /f')).toContain(
      `[a](${base}/posts/a#b), [c](${base}/posts/d), [e][f], [g](\n${base}/h)\n\n[f]: ${base}/f`,
    )
    expect(write('![A [small] coin](coin.jpg), ![A coin][c]\n\n[c]: ./coin.jpg')).toContain(
      '(Image: A \\[small\\] coin), (Image: A coin)',
    )
  })

  it('replaces an image that only the sources contain with its alternate text', () => {
    expect(write('![A coin](../images/coin.jpg)')).toContain('\n(Image: A coin)\n')
    expect(write('![A coin](<./coin (1).jpg>) and ![A [b]](./b.jpg "see (c)")')).toContain(
      '\n(Image: A coin) and (Image: A \\[b\\])\n',
    )
  })

  it('cannot be broken by quoted text', () => {
    expect(toInline('a\n# b [c](d) `e` \\')).toBe('a # b \\[c\\](d) \\`e\\` \\\\')
    expect(toInline('What __proto__ and &amp; mean, R&D, snake_case; ~~old~~')).toBe(
      'What \\_\\_proto\\_\\_ and \\&amp; mean, R&D, snake_case; \\~\\~old\\~\\~',
    )
    expect(toCodeBlock('````\nx\n````')).toBe('`````\n````\nx\n````\n`````')
    expect(toTable(['a'], [['x | y\nz']])).toBe('| a |\n| --- |\n| x \\| y z |')
    // An escaped backslash, and an escaped pipe that stays in its cell.
    expect(toTable(['a'], [['x\\|y']])).toBe('| a |\n| --- |\n| x\\\\\\|y |')
  })

  it('of a skill has its terms and its beginning', () => {
    const skill = sampleSkill('skill-a')
    const offer = sampleOffers.find(({ slug }) => slug === skill.slug)
    const alternate = offer && toSkillAlternate(offer, skill, base)
    expect(alternate).toMatchObject({ path: '/skills/skill-a', updatedAt: new Date(skill.publishedAt) })
    for (const part of [
      '$0.10 in USDC',
      '`GET /skills/skill-a/raw`',
      '# Opening',
      `curl -fsSL ${base}/skills/skill-a/install | sh`,
    ])
      expect(alternate?.body).toContain(part)
  })
})

it('a path tells whether its page has an alternate', () => {
  for (const path of ['/', '/posts', '/posts/x', '/skills/x', '/apis/x', '/problems/x', '/about', '/search'])
    expect([path, hasAlternate(path)]).toEqual([path, true])
  for (const path of ['/receipts/x', '/posts/x/y', '/postscript'])
    expect([path, hasAlternate(path)]).toEqual([path, false])
})

it('every page has markdown and serves it, except the pages of one reader, which are available as JSON', () => {
  const isPage = ({ by }: (typeof routes)[number]) => by === 'page' || by === 'live page'
  const ofSite = routes.filter(({ host, isPrivate }) => host === 'site' && !isPrivate)
  const addresses = ofSite.map(({ path }) => path)
  const pages = ofSite.filter((route) => isPage(route) && !route.path.endsWith('.md'))
  const without = pages.filter(({ path }) => !addresses.includes(alternatePath(path)))
  expect(without.map(({ path }) => path)).toEqual(['/receipts/{id}', '/library'])
  for (const { path } of without) expect(addresses).toContain(`/api${path}.json`)
  for (const { path, operations } of pages.filter((page) => !without.includes(page)))
    expect([path, typesOf(operations.GET?.answer ?? '')]).toEqual([path, ['text/html', 'text/markdown', 'text/plain']])
})

it('the follow page describes its form in markdown where there is one', () => {
  const own = toFollowAlternate({ action: '/api/newsletter', field: 'email' }, base)
  expect([own.summary, own.body]).toEqual([
    'New posts by e-mail, in a feed reader, or as a podcast.',
    expect.stringContaining(`sends \`email\`, your address, to <${base}/api/newsletter>`),
  ])
  const elsewhere = toFollowAlternate({ action: 'https://list.example/add?x=1', field: 'EMAIL' }, base)
  expect(elsewhere.body).toContain('sends `EMAIL`, your address, to <https://list.example/add?x=1>')
  expect(toFollowAlternate(undefined, base).body).not.toContain('e-mail')
})

it('a transcript has the sentences of each chapter with their times, with markup escaped', () => {
  const { path, title, body } = toTranscriptAlternate(
    {
      storageKey: 'größe-0123456789abcdef',
      slug: 'größe',
      title: 'A *size*',
      language: 'de',
      voiceId: 'v',
      durationMs: 70_000,
      sizeBytes: 1,
      createdAt: '2026-01-01T00:00:00Z',
      cues: [
        { text: 'Before it.', startMs: 0, endMs: 900 },
        { text: '<b>[One](x)</b>', startMs: 1000, endMs: 2000 },
        { text: 'Two.', startMs: 61_900, endMs: 63_000 },
      ],
      chapters: [
        { title: 'First _part_', startMs: 1000 },
        { title: 'Silence', startMs: 3000 },
        { title: 'Last', startMs: 60_000 },
      ],
    },
    base,
  )
  const post = `${base}/posts/gr%C3%B6%C3%9Fe`
  expect([path, title]).toEqual(['/posts/größe/transcript', 'A *size*'])
  expect(body.split('\n\n').slice(1)).toEqual([
    `- [0:00](${post}?t=0) Before it.`,
    '## First \\_part\\_',
    `- [0:01](${post}?t=1) \\<b>\\[One\\](x)\\</b>`,
    '## Last',
    `- [1:01](${post}?t=61) Two.`,
  ])
  expect(body).toContain(`Read by a synthetic voice. Each time leads to the sentence in [the post](${post})`)
})
