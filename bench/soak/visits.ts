import { type Answered, type Asked, ask } from './ask.ts'
import type { OpenRecord } from './record.ts'

/** Ports of the proxies in front of the programs. */
export interface Fronts {
  readonly site: number
  readonly game: number
}

/** One request of a visitor, and the expected response. */
interface Visit extends Asked {
  readonly of?: 'game'
  readonly status?: number
  /** Text or pattern that the body must contain. */
  readonly has?: string | RegExp
  /** A header that must be present, and the beginning of its value. */
  readonly header?: readonly [name: string, begins: string]
}

const page = (path: string): Visit => ({ path, has: '</html>', header: ['content-type', 'text/html'] })
const json = (path: string, has: string | RegExp): Visit => ({ path, has, header: ['content-type', 'application/'] })
const priced = (path: string, body?: object): Visit => ({
  path,
  status: 402,
  header: ['payment-required', 'ey'],
  ...(body && { method: 'POST', body: JSON.stringify(body) }),
})
const posts = ['two-commands', 'anatomy-of-a-402', 'never-charge-twice', 'durable-before-paid', 'a-voice-in-a-box']
const words = ['agents', 'payment', 'feed', 'signature', 'the', 'zebra', 'x402', 'caf%C3%A9']
const tools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })

/** The requests of one round, with realistic shares: mostly pages, then feeds, prices, searches and documents. */
const round: readonly Visit[] = [
  page('/'),
  ...posts.map((slug) => page(`/posts/${slug}`)),
  json('/feed.json', '"items"'),
  ...words.map((word) => json(`/api/search.json?q=${word}`, '"total"')),
  page('/posts'),
  priced('/skills/x402-seller/raw'),
  json('/api/catalog.json', '"llms-pack"'),
  ...posts.slice(0, 2).map((slug): Visit => ({ path: `/posts/${slug}.md`, header: ['content-type', 'text/markdown'] })),
  { path: '/', headers: { accept: 'text/markdown' }, header: ['content-type', 'text/markdown'] },
  { path: '/rss.xml', has: '</rss>' },
  page('/stats'),
  priced('/llms-full.txt'),
  { path: '/podcast.xml', has: '</rss>' },
  page('/status'),
  { path: '/status.md', has: '# ' },
  priced('/api/x402/media/narrate', { text: 'What would this cost?' }),
  page('/skills'),
  { path: '/atom.xml', has: '</feed>' },
  json('/api/stats.json', '{'),
  { path: '/api/mcp', method: 'POST', body: tools, headers: { accept: 'application/json' }, has: '"search_posts"' },
  page('/search'),
  json('/api/transcripts/search.json?q=agents', '{'),
  page('/apis/image-generate'),
  priced('/api/x402/media/image/generate', { title: 'What would this cost?' }),
  { path: '/llms.txt', has: '/posts/' },
  json('/readyz', '"ready":true'),
  { ...page('/'), of: 'game' },
  { ...json('/api/leaderboard', '{'), of: 'game' },
  { ...json('/api/store', '{'), of: 'game' },
  { ...json('/readyz', '"ready":true'), of: 'game' },
  { path: '/posts/no-such-post', status: 404 },
  page('/podcast'),
  json('/openapi.json', '"openapi"'),
  { path: '/sitemap.xml', has: '</urlset>' },
]

const rangeBytes = 65_536

/** Makes visitors of the whole shop, who check each response. Each call is one visit, of one or a few requests. */
export function makeVisits(fronts: Fronts, { request, fail }: OpenRecord) {
  let turn = 0

  async function look(visit: Visit): Promise<Answered | undefined> {
    const { of = 'site', path, method = 'GET', status = 200 } = visit
    const from = performance.now()
    const answer = await ask(fronts[of], visit).catch((error: unknown) => String(error))
    request(of, performance.now() - from)
    const wrong = typeof answer === 'string' ? answer : findFault(answer, { ...visit, status })
    if (wrong === undefined && typeof answer !== 'string') return answer
    fail(`${of} ${method} ${path}: ${wrong}`)
    return undefined
  }

  /** A podcast player: loads the feed, and the beginning of a recording in it. */
  async function listen(): Promise<void> {
    const feed = await look({ path: '/podcast.xml', has: '</rss>' })
    const sounds = [...(feed?.body.toString() ?? '').matchAll(/<enclosure[^>]* url="[^"]*(\/audio\/[^"]+)"/g)]
    const path = sounds[turn % Math.max(1, sounds.length)]?.[1]
    // Nothing is narrated yet.
    if (path === undefined) return
    const range = { range: `bytes=0-${rangeBytes - 1}` }
    const part = await look({ path, status: 206, headers: range, header: ['content-range', `bytes 0-`] })
    if (part && part.body.length !== Math.min(rangeBytes, Number(part.headers['content-range']?.split('/')[1])))
      fail(`${path}: ${part.body.length} bytes of ${part.headers['content-range']}`)
  }

  /** A browser: loads the front page, then two of its files. */
  async function browse(): Promise<void> {
    const front = await look(page('/'))
    const files = [...(front?.body.toString() ?? '').matchAll(/(?:href|src)="(\/[^"]+\.(?:css|js|woff2))"/g)]
    for (const [, path = ''] of files.slice(0, 2)) await look({ path, header: ['cache-control', 'public'] })
  }

  return async (): Promise<void> => {
    turn += 1
    if (turn % 8 === 3) return listen()
    if (turn % 12 === 5) return browse()
    const visit = round[turn % round.length]
    if (visit) await look(visit)
  }
}

function findFault({ status, headers, body }: Answered, visit: Visit & { status: number }): string | undefined {
  const said = () => `${status} ${body.toString('utf8', 0, 300)}`
  if (status !== visit.status) return said()
  if (body.length === 0) return `${status} without a body`
  if (visit.has !== undefined && !contains(body.toString(), visit.has)) return `not in the answer: ${visit.has}`
  const [name, begins] = visit.header ?? []
  if (name !== undefined && begins !== undefined && !String(headers[name]).startsWith(begins))
    return `${name} is ${headers[name]}`
  return undefined
}

const contains = (text: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)
