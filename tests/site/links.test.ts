import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Episode } from '../../src/narration/episodes/episode.ts'
import { oauthPaths } from '../../src/oauth/places.ts'
import { loadBuild } from '../../src/storage/build-folder.ts'
import { findLinks } from '../support/find-links.ts'
import { makeEpisode } from '../support/make-episode.ts'
import { type RunningSite, startSite, testBaseUrl, testBuild } from '../support/running-site.ts'

let site: RunningSite
let episode: Episode

beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-links-'))
  // A narrated post, so that the podcast contains addresses.
  episode = await makeEpisode({ build: testBuild(), folder: join(dataDir, 'audio'), slug: 'fair-play', units: 2 })
  site = await startSite({ facilitatorUrl: 'http://127.0.0.1:9', rpcUrl: 'http://127.0.0.1:9', dataDir })
})
afterAll(() => site?.kill('SIGTERM'))

interface Opened {
  readonly status: number
  readonly ids: ReadonlySet<string>
  readonly links: readonly string[]
}

/** Documents that the site generates on request, and the page for unknown addresses. */
const answered = ['/podcast.xml', '/api/catalog.json', '/api/stats.json', '/posts/fair-play.vtt', '/no-such-page']
/** Error pages are read for links, but not requested by their own path. */
const isFailure = (path: string) => path === '/404' || path === '/500'

const { authorize, token, register, revoke } = oauthPaths
const isForTokens = (link: string) => [authorize, token, register, revoke].some((path) => link === testBaseUrl + path)

/** Fills in the variables of a template, and gives a search a query. */
function toUsed(link: string): string {
  const url = new URL(
    decodeURI(link).replace('{storage_key}', episode.storageKey).replace(':slug', 'feed-doctor').split('#')[0] ?? '',
  )
  if (url.pathname.endsWith('/search.json') && url.search === '') url.search = '?q=payment'
  return url.href
}

/** The body of a webmention from a page elsewhere that links to ours. */
const mention = { source: 'https://elsewhere.example/reply', target: `${testBaseUrl}/posts/fair-play` }
const bodyFor = (url: string): URLSearchParams | undefined =>
  url === `${testBaseUrl}/api/webmention` ? new URLSearchParams(mention) : undefined

async function open(url: string): Promise<Opened> {
  const first = await site.fetch(url)
  // Some products, the token endpoint and the webmention endpoint answer to POST only.
  const isForm = first.status === 404 && isForTokens(url)
  const isPost = isForm || (first.status === 405 && first.headers.get('allow')?.includes('POST'))
  const answer = isPost ? await site.fetch(url, { method: 'POST', body: bodyFor(url) ?? null }) : first
  const type = answer.headers.get('content-type') ?? ''
  const text = Buffer.from(await answer.arrayBuffer()).toString()
  const isRead = /^text\/(?:html|markdown|plain|vtt)|json|xml/.test(type)
  const header = [...(answer.headers.get('link') ?? '').matchAll(/<([^>]*)>/g)].map(([, link = '']) => link)
  return {
    status: answer.status,
    ids: new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id)),
    links: [...header.map((link) => new URL(link, url).href), ...(isRead ? findLinks(text, { type, url }) : [])],
  }
}

it('every address that the site mentions anywhere answers, and every anchor exists', async () => {
  const { manifest } = loadBuild(testBuild())
  const start = [...Object.keys(manifest).filter((path) => !isFailure(path)), ...answered]
  const opened = new Map<string, Opened>()
  const named = new Map<string, string>()
  const queue = start.map((path) => testBaseUrl + path)
  for (const url of queue) {
    const used = toUsed(url)
    if (opened.has(used)) continue
    const document = await open(used)
    opened.set(used, document)
    for (const link of document.links) {
      if (!named.has(link)) queue.push(link)
      named.set(link, url)
    }
  }
  const isDead = (link: string): boolean => {
    const target = opened.get(toUsed(link))
    const place = decodeURIComponent(link.split('#')[1] ?? '')
    // A product answers with its price (402), and /readyz with 503, because this shop has no facilitator.
    const isAnswer = [200, 202, 402].includes(target?.status ?? 0) || new URL(link).pathname === '/readyz'
    // The library answers 401 without a signed-in wallet.
    if (new URL(link).pathname.startsWith('/api/library')) return target?.status !== 401
    // The token endpoint answers 400 to a request without credentials.
    if (isForTokens(link)) return target?.status !== 400
    return !target || !isAnswer || (place !== '' && !target.ids.has(place))
  }
  expect([...named].filter(([link]) => isDead(link)).map(([link, by]) => `${link}, named in ${by}`)).toEqual([])
  expect(named.size).toBeGreaterThan(200)
  expect([...named.keys()].filter((link) => link.includes('#')).length).toBeGreaterThan(20)
})
