import type { Probe } from '../../functions/session-status/probe/probe-site.ts'
import { type SurfacePath, surfacePaths } from '../../functions/session-status/probe/surface-paths.ts'
import type { FetchFailure } from '../../src/fetching/fetched.ts'

/** One response of a pretend site. */
export interface Answer {
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly durationMs?: number
  readonly isCut?: boolean
  /** The address at the end of redirects. */
  readonly finally?: string
  /** The number of redirects before this response. */
  readonly redirects?: number
}

/** The response of a site at each path, or the reason why it does not respond. */
export type Answers = Readonly<Record<SurfacePath, Answer | FetchFailure>>

const base = 'https://example.com'
const words = 'A press of one person that prints essays about machines, and reads them aloud. '

const terms = {
  x402Version: 2,
  resource: { url: `${base}/llms-full.txt` },
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      amount: '250000',
      payTo: '0x1111111111111111111111111111111111111111',
      maxTimeoutSeconds: 220,
    },
  ],
}

/** The value of a PAYMENT-REQUIRED header. */
export const toTermsHeader = (value: unknown = terms): string => Buffer.from(JSON.stringify(value)).toString('base64')

/** A front page with parts of its head and body that can be changed. */
export const frontPage = (
  head = {
    title: '<title>A small press</title>',
    description: '<meta name="description" content="Essays about machines.">',
    feed: '<link rel="alternate" type="application/rss+xml" href="/rss.xml">',
    markdown: '<link rel="alternate" type="text/markdown" href="/index.md">',
    data: '<script type="application/ld+json">{"@context":"https://schema.org","@type":"WebSite"}</script>',
  },
  { lang = ' lang="en"', text = words.repeat(40) } = {},
): string =>
  `<!doctype html><html${lang}><head>${Object.values(head).join('')}</head><body><h1>Essays</h1><p>${text}</p></body></html>`

/** A response for a page that does not exist. */
export const gone: Answer = { status: 404, type: 'text/html', body: '<!doctype html><title>Nothing here</title>' }

/** A site without any fault. */
export const flawless: Answers = {
  '/': {
    type: 'text/html; charset=utf-8',
    headers: {
      link: '</llms.txt>; rel="service-doc", </index.md>; rel="alternate"; type="text/markdown"',
      'strict-transport-security': 'max-age=63072000',
      'content-encoding': 'br',
      etag: '"1"',
    },
    body: frontPage(),
  },
  '/sitemap.xml': {
    type: 'application/xml',
    body: `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${base}/a?b&amp;c</loc><lastmod>2026-11-01</lastmod></url></urlset>`,
  },
  '/robots.txt': {
    type: 'text/plain',
    body: `User-agent: *\nDisallow: /search\nContent-Signal: search=yes, ai-train=no\n\nUser-agent: GPTBot\nDisallow: /\n\nSitemap: ${base}/sitemap.xml\n`,
  },
  '/rss.xml': {
    type: 'application/rss+xml',
    headers: { etag: '"2"' },
    body: `<?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Press</title><link>${base}/</link><description>Essays</description><atom:link rel="self" href="${base}/rss.xml"/><item><title>One &amp; two</title><link>${base}/one</link><guid isPermaLink="false">1</guid><pubDate>Fri, 20 Nov 2026 08:00:00 GMT</pubDate><description><![CDATA[<p>a & b</p>]]></description></item></channel></rss>`,
  },
  '/feed.json': {
    type: 'application/feed+json',
    body: JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Press',
      home_page_url: `${base}/`,
      feed_url: `${base}/feed.json`,
      items: [{ id: '1', url: `${base}/one`, date_published: '2026-11-20T08:00:00Z', content_text: 'one' }],
    }),
  },
  '/llms.txt': {
    type: 'text/plain',
    headers: { etag: '"3"' },
    body: `# Press\n\n> Essays about machines.\n\n## Essays\n\n- [One](${base}/one.md): the first\n`,
  },
  '/llms-full.txt': {
    status: 402,
    type: 'application/json',
    headers: { 'payment-required': toTermsHeader() },
    body: '{"x402Version":2}',
  },
  '/skills.json': { type: 'application/json', body: '{"count":1,"items":[{"slug":"one"}]}' },
  '/api/catalog.json': {
    type: 'application/json',
    body: JSON.stringify({
      version: '1.0',
      content: [{ buyUrl: `${base}/llms-full.txt`, x402: { network: 'eip155:8453', asset: '0x0', payTo: '0x1' } }],
    }),
  },
  '/_cms/admin/': {
    type: 'text/html',
    body: '<!doctype html><title>Log in</title><form><input type="password"></form>',
  },
  '/_cms/api/mcp': {
    status: 401,
    type: 'application/json',
    headers: {
      'www-authenticate': `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource"`,
    },
    body: '{}',
  },
  '/.well-known/oauth-protected-resource': {
    type: 'application/json',
    headers: { 'access-control-allow-origin': '*' },
    body: JSON.stringify({ resource: `${base}/_cms/api/mcp`, authorization_servers: ['https://login.example.com'] }),
  },
}

/** A server that responds to every path with a missing page, except for its front page. */
export const bare = (front: Answer, missing: Answer): Answers => ({ ...all(missing), '/': front })

/** The same response at every path. */
export function all(answer: Answer | FetchFailure): Answers {
  const answers = { ...flawless }
  for (const path of surfacePaths) answers[path] = answer
  return answers
}

/** The responses in the form in which the network returns them. */
export const toProbes = (answers: Answers): Probe[] =>
  surfacePaths.map((path): Probe => {
    const url = `${base}${path}`
    const answer = answers[path]
    if (typeof answer === 'string') return { path, url, is: 'silent', reason: answer, durationMs: 1 }
    const { status = 200, type, headers = {}, body = '', durationMs = 20, isCut = false, redirects } = answer
    const fetched = {
      url: answer.finally ?? url,
      status,
      headers: new Map(Object.entries({ ...(type !== undefined && { 'content-type': type }), ...headers })),
      body: Buffer.from(body),
      isCut,
      redirects: redirects ?? (answer.finally === undefined ? 0 : 1),
      durationMs,
    }
    return { path, url, is: 'answered', fetched }
  })
