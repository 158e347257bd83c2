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
  // With something to hear, so that the podcast names addresses.
  episode = await makeEpisode({ build: testBuild(), folder: join(dataDir, 'audio'), slug: 'fair-play', units: 2 })
  site = await startSite({ facilitatorUrl: 'http://127.0.0.1:9', rpcUrl: 'http://127.0.0.1:9', dataDir })
})
afterAll(() => site?.kill('SIGTERM'))

interface Opened {
  readonly status: number
  readonly ids: ReadonlySet<string>
  readonly links: readonly string[]
}

/** Documents that no build writes, and the page that stands where there is none. */
const answered = ['/podcast.xml', '/api/catalog.json', '/api/stats.json', '/posts/fair-play.vtt', '/no-such-page']
/** A page of failure is looked at, but not asked for. */
const isFailure = (path: string) => path === '/404' || path === '/500'

const { authorize, token, register, revoke } = oauthPaths
const isForTokens = (link: string) => [authorize, token, register, revoke].some((path) => link === testBaseUrl + path)

/** An address as somebody uses it: what a template leaves open is filled in, and a search looks for something. */
function toUsed(link: string): string {
  const url = new URL(
    decodeURI(link).replace('{storage_key}', episode.storageKey).replace(':slug', 'feed-doctor').split('#')[0] ?? '',
  )
  if (url.pathname.endsWith('/search.json') && url.search === '') url.search = '?q=payment'
  return url.href
}

/** What a page elsewhere would say of its link to one of ours. */
const mention = { source: 'https://elsewhere.example/reply', target: `${testBaseUrl}/posts/fair-play` }
const bodyFor = (url: string): URLSearchParams | undefined =>
  url === `${testBaseUrl}/api/webmention` ? new URLSearchParams(mention) : undefined

async function open(url: string): Promise<Opened> {
  const first = await site.fetch(url)
  // Some of what is sold is asked for by POST, and so are a token and the place for mentions.
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

it('every address that the site names anywhere answers, and every place in a page is there', {
  timeout: 180_000,
}, async () => {
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
    // A link to what is sold is answered with its price; without money behind it, a shop is not ready and says so.
    const isAnswer = [200, 202, 402].includes(target?.status ?? 0) || new URL(link).pathname === '/readyz'
    // What a wallet bought is shown to that wallet.
    if (new URL(link).pathname.startsWith('/api/library')) return target?.status !== 401
    // Who asks for a token with nothing in hand is told so.
    if (isForTokens(link)) return target?.status !== 400
    return !target || !isAnswer || (place !== '' && !target.ids.has(place))
  }
  expect([...named].filter(([link]) => isDead(link)).map(([link, by]) => `${link}, named in ${by}`)).toEqual([])
  expect(named.size).toBeGreaterThan(200)
  expect([...named.keys()].filter((link) => link.includes('#')).length).toBeGreaterThan(20)
})
