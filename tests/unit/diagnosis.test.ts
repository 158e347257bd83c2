import { describe, expect, it } from 'vitest'
import type { Diagnosis } from '../../functions/session-status/diagnosis-schema.ts'
import { adviceTable } from '../../functions/session-status/judge/advice-table.ts'
import { type CheckId, checks } from '../../functions/session-status/judge/checks.ts'
import { type SurfacePath, surfacePaths } from '../../functions/session-status/probe/surface-paths.ts'
import { diagnose } from '../../functions/session-status/report/diagnose.ts'
import {
  type Answer,
  type Answers,
  all,
  bare,
  flawless,
  frontPage,
  gone,
  toProbes,
  toTermsHeader,
} from '../support/example-site.ts'
import { makeSampleReport } from '../support/sample-report.ts'

const skillUrls = new Map([['feed-doctor', 'https://press.example/skills/feed-doctor']])
const look = (answers: Answers): Diagnosis =>
  diagnose({
    siteUrl: 'https://example.com/a/path',
    probedAt: new Date('2026-11-20T09:00:00Z'),
    probes: toProbes(answers),
    skillUrls,
  })
const findingsOf = (report: Diagnosis): string[] => report.findings.map(({ id }) => id)
const surfaceOf = (report: Diagnosis, path: SurfacePath) => report.surfaces.find((surface) => surface.path === path)

/** A response of the flawless site with changes. */
const change = (path: SurfacePath, more: Answer): Answer => {
  const answer = flawless[path]
  if (typeof answer === 'string') throw new Error(`${path} does not answer`)
  return { ...answer, ...more, headers: { ...answer.headers, ...more.headers } }
}
const withHead = (head: Record<string, string>): Answer => {
  const pieces = {
    title: '<title>A small press</title>',
    description: '<meta name="description" content="Essays about machines.">',
    feed: '<link rel="alternate" type="application/rss+xml" href="/rss.xml">',
    markdown: '<link rel="alternate" type="text/markdown" href="/index.md">',
    data: '<script type="application/ld+json">{"@context":"https://schema.org","@type":"WebSite"}</script>',
  }
  return change('/', { body: frontPage({ ...pieces, ...head }) })
}
const shell = '<!doctype html><html lang="en"><title>App</title><div id="root"></div><script src="/app.js"></script>'
/** The feed of the flawless site with its item replaced. */
const feed = (item: string): Answer => replaced('/rss.xml', /<item>.*<.item>/, item)
const item = (pieces: Record<string, string> = {}): string => {
  const its = {
    title: '<title>One</title>',
    link: '<link>https://example.com/one</link>',
    guid: '<guid isPermaLink="false">1</guid>',
    date: '<pubDate>Fri, 20 Nov 2026 08:00:00 GMT</pubDate>',
  }
  return `<item>${Object.values({ ...its, ...pieces }).join('')}</item>`
}
const other = { guid: '<guid isPermaLink="false">2</guid>' }
const sound = (attributes: string): string => `<enclosure ${attributes}/>`
const mp3 = 'url="https://example.com/1.mp3" length="9000" type="audio/mpeg"'
const itunes = (uri: string, inChannel = ''): Answer => {
  const answer = feed(item())
  const body = String(answer.body)
    .replace('<rss', `<rss xmlns:itunes="${uri}"`)
    .replace('<item>', `<itunes:explicit>false</itunes:explicit>${inChannel}<item>`)
  return { ...answer, body }
}
const itunesUri = 'http://www.itunes.com/dtds/podcast-1.0.dtd'
const show = '<language>en</language><itunes:image href="https://example.com/i.jpg"/><itunes:category text="Arts"/>'
const robots = (rules: string): Answer => replaced('/robots.txt', 'User-agent: GPTBot\nDisallow: /', rules)
const sitemap = (lastmod: string): Answer => replaced('/sitemap.xml', '2026-11-01', lastmod)

/** Each case puts one fault into a flawless site and expects exactly these findings. */
const flaws: readonly (readonly [what: string, found: readonly CheckId[], answers: Partial<Answers>])[] = [
  ['a server error at one path', ['server-errors'], { '/llms.txt': { status: 500 } }],
  ['a wall for programs', ['turned-away'], { '/rss.xml': { status: 403 }, '/feed.json': { status: 429 } }],
  ['a path that is never answered', ['silent-paths'], { '/sitemap.xml': 'timeout' }],
  ['a redirect to where we do not go', ['silent-paths'], { '/sitemap.xml': 'refused' }],
  [
    'one page for whatever is asked',
    ['soft-404', 'llms-missing', 'rss-missing'],
    { '/llms.txt': { type: 'text/html', body: shell }, '/rss.xml': { type: 'text/html', body: shell } },
  ],
  ['a slow page', ['slow'], { '/llms.txt': change('/llms.txt', { durationMs: 2500 }) }],
  ['no HSTS', ['no-hsts'], { '/': change('/', { headers: { 'strict-transport-security': 'max-age=0' } }) }],
  ['no compression', ['no-compression'], { '/': withoutHeader('content-encoding') }],
  ['no validator', ['no-validators'], { '/': withoutHeader('etag') }],
  ['a missing front page', ['front-missing'], { '/': gone }],
  [
    'a front page that says that it is none',
    ['front-missing'],
    { '/': withHead({ title: '<title>404: Not Found</title>' }) },
  ],
  ['a front page behind two redirects', ['front-redirects'], { '/': change('/', { redirects: 2 }) }],
  [
    'a front page that is JSON',
    ['front-fails'],
    { '/': change('/', { body: '{"hello":1}', type: 'application/json' }) },
  ],
  [
    'the page of Apache',
    ['front-default'],
    { '/': withHead({ title: '<title>Apache2 Ubuntu Default Page: It works</title>' }) },
  ],
  ['no title', ['front-no-title'], { '/': withHead({ title: '' }) }],
  ['no description', ['front-no-description'], { '/': withHead({ description: '' }) }],
  ['no language', ['front-no-lang'], { '/': change('/', { body: frontPage(undefined, { lang: '' }) }) }],
  ['text by scripts only', ['front-no-text'], { '/': change('/', { body: frontPage(undefined, { text: '' }) }) }],
  ['noindex in a header', ['front-noindex'], { '/': change('/', { headers: { 'x-robots-tag': 'noindex' } }) }],
  ['noindex in the page', ['front-noindex'], { '/': withHead({ robots: '<META NAME=robots CONTENT=NOINDEX>' }) }],
  ['no way to the feed', ['front-no-feed-link'], { '/': withHead({ feed: '' }) }],
  ['no structured data', ['front-no-structured-data'], { '/': withHead({ data: '' }) }],
  [
    'broken structured data',
    ['front-broken-structured-data'],
    { '/': withHead({ data: '<script type="application/ld+json">{,}</script>' }) },
  ],
  ...[
    '{"@type":"WebSite"}',
    '{"@context":"https://schema.org"}',
    '{"@context":"https://schema.org","@graph":[{"@type":"WebSite","url":"/"}]}',
  ].map(
    (data) =>
      [
        `structured data that means nothing: ${data}`,
        ['front-vague-structured-data'],
        { '/': withHead({ data: `<script type="application/ld+json">${data}</script>` }) },
      ] as const,
  ),
  [
    'a Link header about style only',
    ['front-no-link-header'],
    { '/': change('/', { headers: { link: '</a.css>; rel="preload"' } }) },
  ],
  [
    'no markdown anywhere',
    ['front-no-markdown'],
    {
      '/': {
        ...withHead({ markdown: '' }),
        headers: {
          link: '</llms.txt>; rel="service-doc"',
          'strict-transport-security': 'max-age=1',
          etag: '"1"',
          'content-encoding': 'br',
        },
      },
    },
  ],
  ['no robots.txt', ['robots-missing'], { '/robots.txt': gone }],
  ['an HTML robots.txt', ['robots-not-text'], { '/robots.txt': { type: 'text/html', body: shell } }],
  ['robots.txt of a wrong type', ['robots-not-text'], { '/robots.txt': change('/robots.txt', { type: 'text/html' }) }],
  [
    'robots.txt without a group',
    ['robots-no-group', 'robots-no-ai-rules', 'robots-no-signals'],
    { '/robots.txt': { type: 'text/plain', body: 'Sitemap: https://example.com/sitemap.xml' } },
  ],
  [
    'robots.txt that closes the site',
    ['robots-blocks-all', 'robots-contradicts'],
    { '/robots.txt': replaced('/robots.txt', 'Disallow: /search', 'Disallow: / # all') },
  ],
  [
    'robots.txt that closes the site in two groups',
    ['robots-blocks-all', 'robots-contradicts'],
    { '/robots.txt': robots('User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /') },
  ],
  [
    'robots.txt that opens a closed site by the longer rule',
    ['robots-hides'],
    { '/robots.txt': replaced('/robots.txt', 'Disallow: /search', 'Disallow: /\nAllow: /$\nDisallow: /search') },
  ],
  [
    'robots.txt that hides the sitemap',
    ['robots-hides'],
    { '/robots.txt': replaced('/robots.txt', 'Disallow: /search', 'Disallow: /*.xml$') },
  ],
  [
    'a group that allows search and disallows everything',
    ['robots-contradicts'],
    { '/robots.txt': robots('User-agent: GPTBot\nContent-Signal: search=yes, ai-train=no\nDisallow: /') },
  ],
  ['a group that forgets', ['robots-forgets'], { '/robots.txt': robots('User-agent: GPTBot/1.2\nAllow: /') }],
  [
    'a rule before any group',
    ['robots-lost-lines'],
    { '/robots.txt': replaced('/robots.txt', 'User-agent: *', 'Disallow: /private\nUser-agent: *') },
  ],
  [
    'a signal that is neither yes nor no',
    ['robots-lost-lines'],
    { '/robots.txt': replaced('/robots.txt', 'ai-train=no', 'ai-train=maybe') },
  ],
  ['no sitemap line', ['robots-no-sitemap'], { '/robots.txt': replaced('/robots.txt', 'https://example.com', '') }],
  ['no AI crawler', ['robots-no-ai-rules'], { '/robots.txt': replaced('/robots.txt', 'GPTBot', 'OtherBot') }],
  ['no content signals', ['robots-no-signals'], { '/robots.txt': replaced('/robots.txt', 'Content-Signal', 'X') }],
  ['no sitemap', ['sitemap-missing'], { '/sitemap.xml': gone }],
  ['a sitemap with a bare ampersand', ['sitemap-broken'], { '/sitemap.xml': replaced('/sitemap.xml', '&amp;', '&') }],
  ['a sitemap that is a feed', ['sitemap-broken'], { '/sitemap.xml': change('/rss.xml', {}) }],
  [
    'an empty sitemap',
    ['sitemap-empty', 'sitemap-no-dates'],
    { '/sitemap.xml': replaced('/sitemap.xml', /<url>.*<.url>/, '') },
  ],
  [
    'a sitemap of another site',
    ['sitemap-elsewhere'],
    { '/sitemap.xml': replaced('/sitemap.xml', 'example.com', 'example.org') },
  ],
  [
    'a sitemap without dates',
    ['sitemap-no-dates'],
    { '/sitemap.xml': replaced('/sitemap.xml', /<lastmod>.*<.lastmod>/, '') },
  ],
  [
    'a sitemap without a namespace',
    ['sitemap-namespace'],
    { '/sitemap.xml': replaced('/sitemap.xml', / xmlns="[^"]+"/, '') },
  ],
  ['a sitemap of texts', ['sitemap-not-pages'], { '/sitemap.xml': replaced('/sitemap.xml', 'a?b&amp;c', 'a.md') }],
  ['a sitemap of the first of May', ['sitemap-dates'], { '/sitemap.xml': sitemap('01.05.2026') }],
  ['a sitemap of 30 February', ['sitemap-dates'], { '/sitemap.xml': sitemap('2026-02-30') }],
  ['a sitemap of 31 April, 10:00', ['sitemap-dates'], { '/sitemap.xml': sitemap('2026-04-31T10:00Z') }],
  ['a sitemap of next year', ['sitemap-dates'], { '/sitemap.xml': sitemap('2027-11-01') }],
  [
    'a sitemap that dates the build',
    ['sitemap-dates'],
    {
      '/sitemap.xml': replaced(
        '/sitemap.xml',
        /<url>.*<.url>/,
        ['a', 'b', 'c']
          .map((page) => `<url><loc>https://example.com/${page}</loc><lastmod>2026-11-01T10:00:00Z</lastmod></url>`)
          .join(''),
      ),
    },
  ],
  ['a sitemap as HTML', ['sitemap-type'], { '/sitemap.xml': change('/sitemap.xml', { type: 'text/html' }) }],
  ['no feed', ['rss-missing'], { '/rss.xml': gone }],
  ['a feed with &nbsp;', ['rss-broken'], { '/rss.xml': replaced('/rss.xml', '&amp;', '&nbsp;') }],
  ['a feed that is HTML', ['rss-broken'], { '/rss.xml': { type: 'text/html', body: shell } }],
  ['an empty feed', ['rss-empty'], { '/rss.xml': feed('') }],
  ['a feed without ids', ['rss-entries'], { '/rss.xml': feed(item({ guid: '' })) }],
  [
    'a feed without a description',
    ['rss-channel'],
    { '/rss.xml': replaced('/rss.xml', /<description>Essays<.description>/, '') },
  ],
  [
    'a feed with two titles',
    ['rss-channel'],
    { '/rss.xml': replaced('/rss.xml', '<title>Press', '<title>A</title><title>Press') },
  ],
  ['a feed that does not say where it is', ['rss-self'], { '/rss.xml': replaced('/rss.xml', /<atom:link[^>]*>/, '') }],
  ['a feed that says to be elsewhere', ['rss-self'], { '/rss.xml': replaced('/rss.xml', '/rss.xml"', '/feed"') }],
  ['two entries of one id', ['rss-ids'], { '/rss.xml': feed(item() + item()) }],
  ['an id that claims to be an address', ['rss-ids'], { '/rss.xml': feed(item({ guid: '<guid>post-1</guid>' })) }],
  ['a relative link', ['rss-addresses'], { '/rss.xml': feed(item({ link: '<link>/one</link>' })) }],
  [
    'a link to the unsafe site',
    ['rss-addresses'],
    { '/rss.xml': feed(item({ link: '<link>http://example.com/</link>' })) },
  ],
  ['markup in a title', ['rss-titles'], { '/rss.xml': feed(item({ title: '<title>One &lt;b>two&lt;/b></title>' })) }],
  [
    'a title that was escaped twice',
    ['rss-titles'],
    { '/rss.xml': feed(item({ title: '<title>a &amp;amp; b</title>' })) },
  ],
  ['a date of another kind', ['rss-dates'], { '/rss.xml': feed(item({ date: '<pubDate>2026-11-20</pubDate>' })) }],
  [
    'a feed entry of 30 February',
    ['rss-dates'],
    { '/rss.xml': feed(item({ date: '<pubDate>30 Feb 2026 08:00:00 +0200</pubDate>' })) },
  ],
  [
    'a wrong weekday',
    ['rss-dates'],
    { '/rss.xml': feed(item({ date: '<pubDate>Mon, 20 Nov 2026 08:00:00 GMT</pubDate>' })) },
  ],
  [
    'an enclosure without a length',
    ['rss-enclosures'],
    { '/rss.xml': feed(item({ sound: sound('url="https://example.com/1.mp3" type="audio/mpeg"') })) },
  ],
  [
    'an enclosure of no bytes',
    ['rss-enclosures'],
    { '/rss.xml': feed(item({ sound: sound(mp3.replace('9000', '0')) })) },
  ],
  ['two enclosures', ['rss-enclosures'], { '/rss.xml': feed(item({ sound: sound(mp3) + sound(mp3) })) }],
  [
    'the same enclosure twice',
    ['rss-enclosures'],
    { '/rss.xml': feed(item({ sound: sound(mp3) }) + item({ ...other, sound: sound(mp3) })) },
  ],
  ['a podcast without a picture', ['rss-podcast'], { '/rss.xml': itunes(itunesUri) }],
  [
    'a podcast that is explicitly clean',
    ['rss-podcast'],
    { '/rss.xml': itunes(itunesUri, `${show}<itunes:explicit>clean</itunes:explicit>`) },
  ],
  [
    'a namespace with an s too many',
    ['rss-namespaces'],
    { '/rss.xml': itunes(itunesUri.replace('http', 'https'), show) },
  ],
  ['a feed that cannot be asked for again', ['rss-no-validators'], { '/rss.xml': withoutHeader('etag', '/rss.xml') }],
  ['a feed of a wrong type', ['rss-type'], { '/rss.xml': change('/rss.xml', { type: 'text/plain' }) }],
  ['no JSON Feed', ['json-feed-missing'], { '/feed.json': gone }],
  ['a JSON Feed with a number for an id', ['json-feed-broken'], { '/feed.json': replaced('/feed.json', '"1"', '1') }],
  [
    'a JSON Feed without texts',
    ['json-feed-broken'],
    { '/feed.json': replaced('/feed.json', 'content_text', 'summary') },
  ],
  [
    'two items of one id',
    ['json-feed-ids'],
    { '/feed.json': replaced('/feed.json', '[{', '[{"id":"1","content_text":"none"},{') },
  ],
  [
    'a JSON Feed with a relative address',
    ['json-feed-addresses'],
    { '/feed.json': replaced('/feed.json', 'https://example.com/one', '/one') },
  ],
  [
    'a JSON Feed without its own address',
    ['json-feed-addresses'],
    { '/feed.json': replaced('/feed.json', 'feed_url', '_url') },
  ],
  [
    'a JSON Feed with a date of mail',
    ['json-feed-dates'],
    { '/feed.json': replaced('/feed.json', '2026-11-20T08:00:00Z', 'Fri, 20 Nov 2026') },
  ],
  ['a JSON Feed as text', ['json-feed-type'], { '/feed.json': change('/feed.json', { type: 'text/plain' }) }],
  ['no llms.txt', ['llms-missing'], { '/llms.txt': gone }],
  ['an HTML llms.txt', ['llms-not-text'], { '/llms.txt': { type: 'text/html', body: shell } }],
  ['llms.txt without a heading', ['llms-no-heading'], { '/llms.txt': replaced('/llms.txt', '# Press', 'Press') }],
  ['llms.txt without a summary', ['llms-no-summary'], { '/llms.txt': replaced('/llms.txt', '> ', '') }],
  ['llms.txt without links', ['llms-no-links'], { '/llms.txt': replaced('/llms.txt', /\[One].*\)/, 'One') }],
  ['llms.txt without sections', ['llms-no-sections'], { '/llms.txt': replaced('/llms.txt', '## ', '') }],
  ['llms.txt that leads to pages', ['llms-pages'], { '/llms.txt': replaced('/llms.txt', 'one.md', 'one') }],
  [
    'llms.txt with rules',
    ['llms-rules'],
    { '/llms.txt': replaced('/llms.txt', '## Essays', 'User-agent: *\n\n## Essays') },
  ],
  [
    'llms.txt that cannot be asked for again',
    ['llms-no-validators'],
    { '/llms.txt': withoutHeader('etag', '/llms.txt') },
  ],
  [
    'llms.txt that is a book',
    ['llms-too-long'],
    { '/llms.txt': replaced('/llms.txt', 'the first', 'words '.repeat(10_000)) },
  ],
  ['no llms-full.txt', ['llms-full-missing'], { '/llms-full.txt': gone }],
  ['an HTML llms-full.txt', ['llms-full-not-text'], { '/llms-full.txt': { type: 'text/html', body: shell } }],
  [
    'terms that nobody can pay',
    ['llms-full-terms'],
    {
      '/llms-full.txt': change('/llms-full.txt', {
        headers: { 'payment-required': toTermsHeader({ x402Version: 1 }) },
      }),
    },
  ],
  ['a 402 without terms', ['llms-full-terms'], { '/llms-full.txt': { status: 402 } }],
  ['skills.json that is HTML', ['skills-broken'], { '/skills.json': { type: 'text/html', body: shell } }],
  ['skills.json that is a list', ['skills-broken'], { '/skills.json': change('/skills.json', { body: '[]' }) }],
  ['skills.json that miscounts', ['skills-count'], { '/skills.json': replaced('/skills.json', '1', '2') }],
  ['catalog.json that is broken', ['catalog-broken'], { '/api/catalog.json': replaced('/api/catalog.json', '}', '') }],
  [
    'a catalog of somebody else’s goods',
    ['catalog-terms'],
    { '/api/catalog.json': replaced('/api/catalog.json', 'https://example.com', 'https://example.org') },
  ],
  [
    'an open admin interface',
    ['admin-exposed'],
    {
      '/_cms/admin/': {
        type: 'text/html',
        body: '<!doctype html><title>Dashboard</title><nav>Users Settings</nav><a href="/out">Log out</a>',
      },
    },
  ],
  ['an admin page that scripts fill', ['admin-shell'], { '/_cms/admin/': { type: 'text/html', body: shell } }],
  [
    'an open MCP endpoint',
    ['mcp-open'],
    { '/_cms/api/mcp': { type: 'application/json', body: '{"jsonrpc":"2.0","result":{"tools":[]}}' } },
  ],
  [
    'an MCP endpoint that asks for a session only',
    ['mcp-open'],
    { '/_cms/api/mcp': { status: 400, type: 'application/json', body: '{"jsonrpc":"2.0","error":{"code":-32000}}' } },
  ],
  [
    'a 401 that does not say more',
    ['mcp-no-metadata'],
    { '/_cms/api/mcp': change('/_cms/api/mcp', { headers: { 'www-authenticate': 'Bearer' } }) },
  ],
  [
    'metadata for servers only',
    ['metadata-closed'],
    {
      '/.well-known/oauth-protected-resource': withoutHeader(
        'access-control-allow-origin',
        '/.well-known/oauth-protected-resource',
      ),
    },
  ],
  ['no metadata', ['metadata-missing'], { '/.well-known/oauth-protected-resource': gone }],
  [
    'metadata of another site',
    ['metadata-broken'],
    {
      '/.well-known/oauth-protected-resource': replaced(
        '/.well-known/oauth-protected-resource',
        'https://example.com',
        'https://example.org',
      ),
    },
  ],
]

function withoutHeader(name: string, path: SurfacePath = '/'): Answer {
  const { headers, ...answer } = change(path, {})
  return { ...answer, headers: Object.fromEntries(Object.entries(headers ?? {}).filter(([key]) => key !== name)) }
}

function replaced(path: SurfacePath, from: string | RegExp, to: string): Answer {
  const { body, ...answer } = change(path, {})
  const changed = String(body).replace(from, to)
  if (changed === String(body)) throw new Error(`nothing to replace at ${path}`)
  return { ...answer, body: changed }
}

describe('a flawless site', () => {
  const report = look(flawless)

  it('gets all points and no recommendation', () => {
    expect([report.findings, report.recommendations]).toEqual([[], []])
    expect(report.summary).toMatchObject({ score: 100, level: 5, reachable: 12, ok: 12, limit: null })
    expect(report.summary.session).toEqual({
      adminExposed: false,
      adminRequiresLogin: true,
      mcpRequiresAuth: true,
      protectedResourceMetadata: true,
    })
    expect(report.summary.text).toBe(
      'example.com is ready: 12 of 12 paths are as they should be, 100 of 100 points, level 5 of 5. There is nothing to mend.',
    )
  })

  it('is reported path by path in the order of the specification, with its address as it was sent', () => {
    expect(report.surfaces.map(({ path }) => path)).toEqual(surfacePaths)
    expect([report.siteUrl, report.probedAt]).toEqual(['https://example.com/a/path', '2026-11-20T09:00:00.000Z'])
    expect(surfaceOf(report, '/llms-full.txt')).toMatchObject({
      status: 402,
      ok: true,
      note: 'Asks for a payment of 250000 units on eip155:8453.',
    })
  })

  it.each([
    ['a page behind comments', '/', /<!doctype html>/i, '<!-- a > b -->\n<!-- c -->\n<!doctype html>'],
    ['a page whose type is on two lines', '/', /<!doctype html>/i, '<!DOCTYPE\n  html>'],
    ['a page without a type', '/', /<!doctype html><html lang="en">/i, '<meta charset="utf-8"><html lang="en">'],
    [
      'a sitemap without a declaration, behind a comment',
      '/sitemap.xml',
      /^(?:<\?xml[^>]*>\s*)?/,
      '<!-- made > by hand -->\n',
    ],
    ['a feed with a document type', '/rss.xml', /^(?:<\?xml[^>]*>\s*)?/, '<!DOCTYPE rss>\n'],
  ] as const)('is known for what it is: %s', (_, path, from, to) => {
    const { body, ...answer } = change(path, {})
    const begun = String(body).replace(from, to)
    expect(begun).not.toBe(body)
    expect(look({ ...flawless, [path]: { ...answer, body: begun } }).findings).toEqual([])
  })

  it.each(['Fri, 20 Nov 26 08:00:00 GMT', '29 Feb 24 23:30 EST', 'Sat, 20 Nov 99 08:00:00 +0100'])(
    'may have %s as a date of RSS, which allows years with two digits',
    (date) => {
      const written = feed(item({ date: `<pubDate>${date}</pubDate>` }))
      expect(findingsOf(look({ ...flawless, '/rss.xml': written }))).toEqual([])
    },
  )

  it('has the weekday of a date with a two-digit year checked', () => {
    const written = feed(item({ date: '<pubDate>Mon, 20 Nov 26 08:00:00 GMT</pubDate>' }))
    expect(findingsOf(look({ ...flawless, '/rss.xml': written }))).toEqual(['rss-dates'])
  })

  it('may have a feed of RSS 1.0, with entries identified by rdf:about', () => {
    const entry = (about: string, title: string) =>
      `<item rdf:about="${about}"><title>${title}</title><link>${about}</link><dc:date>2026-11-20</dc:date></item>`
    const rdf = (...entries: string[]): Answer => {
      const channel =
        '<title>A</title><link>https://example.com/</link><description>B</description><atom:link rel="self" href="https://example.com/rss.xml"/>'
      const spaces =
        'xmlns="http://purl.org/rss/1.0/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"'
      const about = 'rdf:about="https://example.com/rss.xml"'
      const body = `<rdf:RDF ${spaces}><channel ${about}>${channel}</channel>${entries.join('')}</rdf:RDF>`
      return change('/rss.xml', { body })
    }
    const [one, two] = [entry('https://example.com/1', 'One'), entry('https://example.com/2', 'Two')]
    expect(findingsOf(look({ ...flawless, '/rss.xml': rdf(one, two) }))).toEqual([])
    expect(findingsOf(look({ ...flawless, '/rss.xml': rdf(one, one) }))).toEqual(['rss-ids'])
  })

  it('loses no points for selling nothing and having no CMS', () => {
    const plain = look({
      ...flawless,
      '/llms-full.txt': { type: 'text/plain', body: 'words' },
      '/skills.json': gone,
      '/api/catalog.json': gone,
      '/_cms/admin/': gone,
      '/_cms/api/mcp': gone,
      '/.well-known/oauth-protected-resource': gone,
    })
    expect([plain.summary.score, plain.summary.level, plain.findings]).toEqual([100, 5, []])
    expect(plain.surfaces.filter(({ ok }) => !ok).map(({ path }) => path)).toEqual([
      '/skills.json',
      '/api/catalog.json',
    ])
  })
})

describe('a flaw', () => {
  it.each(flaws)('is found, and nothing else: %s', (_, found, answers) => {
    const report = look({ ...flawless, ...answers })
    expect(findingsOf(report).toSorted()).toEqual(found.toSorted())
    expect(report.summary.score).toBeLessThan(100)
    expect(new Set(report.recommendations.flatMap(({ findings }) => findings))).toEqual(new Set(found))
    expect(report).toEqual(look({ ...flawless, ...answers }))
  })

  it('of each kind is in this test', () => {
    const tried = new Set<string>(flaws.flatMap(([, found]) => found))
    expect(Object.keys(checks).filter((id) => !tried.has(id))).toEqual(['site-down'])
  })

  it('has evidence of limited length in printable characters', () => {
    const page = `<!doctype html>\u001b[31m\u202e\0<title>${'x'.repeat(1000)}</title>`
    const { findings } = look({ ...flawless, '/robots.txt': { type: 'text/html\u0007', body: page } })
    const [finding] = findings
    expect(finding?.evidence).toMatchObject({
      request: 'GET https://example.com/robots.txt',
      status: 200,
      headers: { 'content-type': 'text/html' },
    })
    expect(finding?.evidence.bodyPreview).toHaveLength(200)
    expect(finding?.evidence.bodyPreview).toMatch(/^<!doctype html> \[31m <title>x+$/)
  })

  it('that lets strangers in limits the score and is listed first', () => {
    const open = { type: 'application/json', body: '{"tools":[]}' }
    const { summary, recommendations } = look({ ...flawless, '/_cms/api/mcp': open, '/robots.txt': gone })
    expect(summary).toMatchObject({ score: 40, limit: expect.stringMatching(/at most 40/) })
    expect(recommendations.map(({ id, priority }) => [id, priority])).toEqual([
      ['close-mcp', 1],
      ['write-robots', 2],
    ])
  })

  it('comes with the skill that helps to mend it, if there is one', () => {
    const { recommendations } = look({ ...flawless, '/rss.xml': gone, '/robots.txt': gone })
    expect(recommendations.map(({ id, skillUrl }) => [id, skillUrl])).toEqual([
      ['write-robots', undefined],
      ['write-rss', 'https://press.example/skills/feed-doctor'],
    ])
  })
})

describe('a site whose pages do not exist', () => {
  const report = look(all(gone))

  it('is told first that it has no front page, and gets no praise for what is absent', () => {
    expect(report.findings[0]).toMatchObject({ id: 'front-missing', severity: 'high', surface: '/' })
    expect(report.findings[0]?.detail).toContain('GET / answered 404')
    expect(report.recommendations[0]).toMatchObject({ id: 'write-front-page', file: 'index.html' })
    expect(report.summary).toMatchObject({ level: 0, levelName: 'cannot be read' })
    expect(report.summary.score).toBeLessThan(25)
    expect(surfaceOf(report, '/')).toMatchObject({ ok: false, note: 'Nothing here.' })
  })

  it('without a front page gets less than half of the points, whatever else it has', () => {
    const { summary } = look({ ...flawless, '/': gone })
    expect(summary).toMatchObject({ score: 40, limit: expect.stringContaining('there is no front page to read') })
  })
})

describe('a recommendation', () => {
  it.each([
    ['/robots.txt', 'robots.txt'],
    ['/sitemap.xml', 'sitemap.xml'],
    ['/llms.txt', 'llms.txt'],
    ['/rss.xml', 'rss.xml'],
    ['/feed.json', 'feed.json'],
    ['/.well-known/oauth-protected-resource', '.well-known/oauth-protected-resource'],
  ] as const)('about %s names that file, or the configuration of the server', (path, file) => {
    const its = Object.values(checks).filter(({ surface }) => surface === path)
    const named = its.map(({ advice }) => adviceTable[advice].file)
    expect(named).toContain(file)
    expect(named.filter((name) => name !== file && name !== 'server configuration')).toEqual([])
  })
})

describe('the default page of nginx', () => {
  const welcome = `<!DOCTYPE html>
<html>
<head>
<title>Welcome to nginx!</title>
<style>
html { color-scheme: light dark; }
body { width: 35em; margin: 0 auto;
font-family: Tahoma, Verdana, Arial, sans-serif; }
</style>
</head>
<body>
<h1>Welcome to nginx!</h1>
<p>If you see this page, the nginx web server is successfully installed and
working. Further configuration is required.</p>

<p>For online documentation and support please refer to
<a href="http://nginx.org/">nginx.org</a>.<br/>
Commercial support is available at
<a href="http://nginx.com/">nginx.com</a>.</p>

<p><em>Thank you for using nginx.</em></p>
</body>
</html>
`
  const notFound =
    '<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>nginx/1.26.2</center>\r\n</body>\r\n</html>\r\n'
  const server = { server: 'nginx/1.26.2' }
  const report = look(
    bare(
      { type: 'text/html', headers: { ...server, etag: '"66bb1234-267"', 'last-modified': 'x' }, body: welcome },
      { status: 404, type: 'text/html', headers: server, body: notFound },
    ),
  )

  it('counts as a page without content, and eleven missing ones', () => {
    expect(report.surfaces.map(({ path, status, ok }) => [path, status, ok])).toEqual([
      ['/', 200, false],
      ...surfacePaths.slice(1, 9).map((path) => [path, 404, false]),
      ...surfacePaths.slice(9).map((path) => [path, 404, true]),
    ])
  })

  it('is told what is missing, and nothing about features that a plain site may lack', () => {
    expect(findingsOf(report).toSorted()).toEqual([
      ...['front-default', 'front-no-description', 'front-no-feed-link', 'front-no-lang', 'front-no-link-header'],
      ...['front-no-markdown', 'front-no-structured-data', 'json-feed-missing', 'llms-full-missing', 'llms-missing'],
      ...['no-hsts', 'robots-missing', 'rss-missing', 'sitemap-missing'],
    ])
    expect(report.recommendations[0]?.id).toBe('publish-something')
    expect(report.summary).toMatchObject({ level: 1, levelName: 'can be read', cms: { detected: false } })
    expect(report.summary.score).toBeLessThan(35)
  })
})

describe('a site rendered in the browser', () => {
  const report = look(all({ type: 'text/html', body: shell.replace('</title>', ` ${'ab12'.repeat(8)}</title>`) }))

  it('has one page, not the twelve that it answers', () => {
    expect(findingsOf(report)).toContain('soft-404')
    expect(findingsOf(report)).not.toContain('admin-shell')
    expect(report.surfaces.filter(({ note }) => note === 'The same page as other paths get.')).toHaveLength(11)
    expect(report.summary.session).toEqual({
      adminExposed: false,
      adminRequiresLogin: null,
      mcpRequiresAuth: null,
      protectedResourceMetadata: false,
    })
  })
})

describe('a site that does not respond', () => {
  it.each([
    ['unreachable', 'could not be reached'],
    ['certificate', 'has no certificate that can be trusted'],
    ['timeout', 'took longer than ten seconds'],
  ] as const)('is told so, once, when it is %s', (reason, text) => {
    const report = look(all(reason))
    expect(findingsOf(report)).toEqual(['site-down'])
    expect(report.findings[0]?.detail).toContain(text)
    expect(report.surfaces.map(({ status, ok, error }) => [status, ok, error])).toEqual(
      surfacePaths.map(() => [null, false, text]),
    )
    expect(report.summary).toMatchObject({ score: 0, level: 0, reachable: 0, ok: 0 })
  })
})

it('makes the sample that the shop shows (`npm test -- diagnosis -u` updates it)', async () => {
  const text = `${JSON.stringify(makeSampleReport(), null, 2)}\n`
  await expect(text).toMatchFileSnapshot('../../functions/session-status/sample-report.json')
})

it('parses a Link header with endless repetitions in linear time', () => {
  const answers = { ...flawless, '/': change('/', { headers: { link: 'rel='.repeat(8000) } }) }
  const from = process.cpuUsage()
  expect(findingsOf(look(answers))).toContain('front-no-link-header')
  expect(process.cpuUsage(from).user / 1000).toBeLessThan(300)
})
