import { type Html, toHtmlResponse } from '../../src/core/html.ts'
import { Problem } from '../../src/core/problem.ts'
import { toHomeLinks } from '../../src/discovery/home-links.ts'
import { get, type Handle, type Route } from '../../src/http/route.ts'
import type { CupRecords } from '../cup/cup-records.ts'
import { toDeathCard } from '../protocol/death-card.ts'
import type { Lives } from '../sessions/lives.ts'
import { cupPage } from './cup-page.ts'
import type { DeathImages } from './death-images.ts'
import { deathPage } from './death-page.ts'
import type { Place } from './frame.ts'
import { frontPage } from './front-page.ts'
import { mcpPage } from './mcp-page.ts'
import { answerNotFound } from './not-found-page.ts'
import { playPage } from './play-page.ts'
import { replayPage } from './replay-page.ts'
import { storePage } from './store-page.ts'
import { watchPage } from './watch-page.ts'

const homeLinks = toHomeLinks('game')

/** The queries for finished lives that the pages need. */
export type PastLives = Pick<Lives, 'find' | 'recent' | 'best'>

/** The routes of all HTML pages. */
export function makePageRoutes(deps: {
  place: Place
  lives: PastLives
  cups: CupRecords
  images: Pick<DeathImages, 'get'>
  /** Counts the players at all hosts. */
  findLive: () => Promise<{ readonly playing: number }>
  now: () => number
}): Route[] {
  const { place, lives, cups, images, findLive, now } = deps
  const boardLength = 10
  const shownCups = 5

  const page = (path: Route['path'], make: () => Promise<Html> | Html): Route =>
    get(path, async () => toHtmlResponse(await make()))

  async function makeWatchPage(): Promise<Html> {
    const since = startOfMonth(now())
    const best = (kind: 'human' | 'agent', from?: number) =>
      lives.best({ kind, limit: boardLength, ...(from !== undefined && { since: from }) })
    const [people, agents, monthPeople, monthAgents, recent, { playing }] = await Promise.all([
      best('human'),
      best('agent'),
      best('human', since),
      best('agent', since),
      lives.recent(boardLength),
      findLive(),
    ])
    return watchPage(place, { people, agents, monthPeople, monthAgents, recent, isPlayed: playing > 0 })
  }

  /** A death as a page, or as text, JSON or PNG by its file extension. */
  const showDeath: Handle = async (_, name) => {
    const [, id = '', form = ''] = /^([\w-]+)(\.txt|\.json|\.png)?$/.exec(name) ?? []
    const found = id === '' ? undefined : await lives.find(id)
    if (!found && form === '.json') throw new Problem('not-found', { detail: 'No finished life has this id' })
    if (!found) return answerNotFound(place)
    const { death, isSettled } = found
    const kept = isSettled ? forADay : forNobody
    if (form === '.json') return Response.json(death, { headers: kept })
    if (form === '.png')
      return new Response(new Uint8Array(await images.get(death)), {
        headers: { ...kept, 'content-type': 'image/png' },
      })
    if (form === '.txt') return new Response(`${toDeathCard(death)}\n`, { headers: { ...kept, 'content-type': plain } })
    return toHtmlResponse(deathPage(place, death))
  }

  /** The replay page of a life by the id of its death, or of a cup run by its realm. */
  const showReplay: Handle = async (_, id) => {
    const found = await lives.find(id)
    if (found) return toHtmlResponse(replayPage(place, { ...found.death, record: `/api/replays/${id}` }))
    const run = await cups.findRun(id)
    if (!run) return answerNotFound(place)
    return toHtmlResponse(replayPage(place, { ...run.life, id, record: `/api/cup-runs/${id}` }))
  }

  async function makeCupPage(): Promise<Html> {
    const { entriesCountFor, cups: held } = await cups.list()
    const reports = await Promise.all(held.slice(0, shownCups).map(({ id }) => cups.find(id)))
    return cupPage(place, { entriesCountFor, cups: reports.filter((report) => report !== undefined) })
  }

  return [
    get('/', async () => {
      const answer = toHtmlResponse(frontPage(place, await lives.recent(5)))
      answer.headers.set('link', homeLinks)
      return answer
    }),
    page('/play.html', () => playPage(place)),
    page('/watch', makeWatchPage),
    page('/store.html', async () => storePage(place, await cups.forEntries())),
    page('/mcp.html', () => mcpPage(place)),
    page('/cup', makeCupPage),
    get('/death/:id', showDeath),
    get('/replay/:id', showReplay),
  ]
}

/** A death can be cached once its record is final, with credits and frame. */
const forADay = { 'cache-control': 'public, max-age=86400' }
const forNobody = { 'cache-control': 'no-store' }
const plain = 'text/plain; charset=utf-8'

function startOfMonth(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}
