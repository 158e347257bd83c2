import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { epitaph } from '../../game-server/core/epitaph.ts'
import type { CupRecords, CupReport } from '../../game-server/cup/cup-records.ts'
import { type AssetPath, readAssets } from '../../game-server/pages/assets.ts'
import { buildClient } from '../../game-server/pages/build-client.ts'
import { openDeathImages } from '../../game-server/pages/death-images.ts'
import { makePageRoutes } from '../../game-server/pages/page-routes.ts'
import { toDeathCard } from '../../game-server/protocol/death-card.ts'
import type { Death } from '../../game-server/protocol/dungeon.ts'
import { noCupRecords } from '../support/game-pages.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const hostile = '<img src=x onerror=alert(1)>"\'&'

const death = (fields: Partial<Death> = {}): Death => ({
  id: 'd_1',
  name: 'Ada',
  kind: 'human',
  cause: 'killed by a goblin',
  depth: 4,
  turn: 812,
  gold: 96,
  kills: 14,
  score: 4192,
  hasWon: false,
  at: Date.UTC(2026, 10, 20),
  frame: 'plain',
  realm: 'r_1',
  mode: 'open',
  credits: 10,
  ...fields,
})

const images = openDeathImages()
let folder: string
let asset: AssetPath
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'undercroft-assets-'))
  await buildClient(root, folder)
  asset = readAssets(folder)
})

afterAll(() => images.close())

function pagesWith(deaths: readonly Death[], cups: CupRecords = noCupRecords) {
  const routes = makePageRoutes({
    place: {
      gameUrl: 'http://game.test',
      baseUrl: 'http://farthing.test',
      wsUrl: 'ws://game.test/ws',
      isSandbox: true,
      asset,
    },
    images,
    cups,
    findLive: async () => ({ playing: 0 }),
    now: () => Date.UTC(2026, 10, 22),
    lives: {
      find: async (id) => {
        const death = deaths.find((each) => each.id === id)
        return death && { death, isSettled: id !== 'd_fresh' }
      },
      recent: async (limit) => deaths.slice(0, limit),
      best: async ({ kind, limit }) => deaths.filter((each) => each.kind === kind).slice(0, limit),
    },
  })
  return async (path: string): Promise<Response> => {
    const [, first = '', second] = path.split('/')
    const route = routes.find((each) => each.path === path || (second && each.path.startsWith(`/${first}/:`)))
    const answer = await route?.handlers.GET?.(new Request(`http://game.test${path}`), second ?? '', '')
    if (!answer) throw new Error(`nothing answers ${path}`)
    return answer
  }
}

const paths = [
  '/',
  '/play.html',
  '/watch',
  '/mcp.html',
  '/store.html',
  '/cup',
  '/replay/d_1',
  '/death/d_1',
  '/death/none',
]

describe.each(paths)('the page %s', (path) => {
  it('has a title, a description, a canonical address and the note that payments are simulated', async () => {
    const text = await (await pagesWith([death()])(path)).text()
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(text).toMatch(/<title>[^<]+ &middot; Undercroft<\/title>/)
    expect(text).toMatch(/<meta name="description" content="[^"]{20,}">/)
    expect(text).toMatch(/<link rel="canonical" href="http:\/\/game\.test|<meta name="robots" content="noindex">/)
    expect(text).toContain('Simulated money')
    expect(text.match(/<h1[ >]/g)).toHaveLength(1)
  })

  it('preloads its fonts, and does not shift when one loads late', async () => {
    const text = await (await pagesWith([death()])(path)).text()
    const faces = [...text.matchAll(/<link rel="preload" as="font"[^>]+ crossorigin href="([^"]+)"/g)].map(
      ([, href]) => href,
    )
    const rules = readFileSync(join(folder, asset('styles.css').replace('/assets/', '')), 'utf8').split('@font-face')
    const lasting = rules.filter((rule) => rule.includes('font-display: optional'))
    expect(faces).toHaveLength(2)
    for (const face of faces)
      expect(lasting.filter((rule) => rule.includes(`url("${face?.replace('/assets/', '')}")`))).toHaveLength(1)
  })

  it('contains nothing inline that its content security policy would refuse', async () => {
    const text = await (await pagesWith([death()])(path)).text()
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i)
    for (const [tag, content] of text.matchAll(/<script[^>]*>([^<]*)/g)) {
      // Structured data for search engines, which no browser executes.
      if (tag.startsWith('<script type="application/ld+json">')) {
        expect(JSON.parse(content ?? '')).toMatchObject({ '@type': 'VideoGame' })
        continue
      }
      expect(tag).toContain('src="/assets/')
      expect(content).toBe('')
    }
  })

  it('loads only files of the build', async () => {
    const text = await (await pagesWith([death()])(path)).text()
    const built = new Set(readdirSync(folder).map((name) => `/assets/${name}`))
    for (const [address] of text.matchAll(/\/assets\/[^"]+/g)) expect(built).toContain(address)
  })
})

describe('text of strangers', () => {
  it.each(['/', '/watch', '/death/d_1'])('stays text on %s', async (path) => {
    const answer = await pagesWith([death({ name: hostile, cause: hostile, frame: hostile })])(path)
    const text = await answer.text()
    expect(text).not.toContain('<img')
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;')
  })
})

describe('a dead player', () => {
  it('has a page, a text and a record', async () => {
    const open = pagesWith([death()])
    expect(await (await open('/death/d_1')).text()).toContain('killed by a goblin')
    expect(await (await open('/death/d_1.json')).json()).toEqual(death())
    const text = await open('/death/d_1.txt')
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await text.text()).toContain('killed by a goblin')
  })

  it('has a picture for link previews, whatever their name', async () => {
    const name = 'W'.repeat(24)
    for (const frame of ['plain', 'frame_void']) {
      const answer = await pagesWith([death({ id: `d_${frame}`, name, frame })])(`/death/d_${frame}.png`)
      expect(answer.headers.get('content-type')).toBe('image/png')
      const { width, height } = await sharp(await answer.arrayBuffer()).metadata()
      expect([width, height]).toEqual([1200, 630])
    }
  })

  it('has no cacheable page before the earnings and the frame of the life are recorded', async () => {
    const open = (fields: Partial<Death>) => pagesWith([death({ id: 'd_fresh', ...fields })])
    const read = async (fields: Partial<Death>) =>
      Buffer.from(await (await open(fields)('/death/d_fresh.png')).arrayBuffer())
    for (const form of ['.json', '.txt', '.png'])
      expect((await open({})(`/death/d_fresh${form}`)).headers.get('cache-control')).toBe('no-store')
    const plain = await read({})
    expect(await read({ frame: 'frame_gold' })).not.toEqual(plain)
    expect((await pagesWith([death()])('/death/d_1.json')).headers.get('cache-control')).toBe('public, max-age=86400')
  })

  it('is not found where nobody died', async () => {
    expect((await pagesWith([])('/death/d_1')).status).toBe(404)
  })
})

describe('the cup', () => {
  const cup: CupReport = {
    id: 'cup-1',
    state: 'over',
    commitment: 'c0ffee',
    seed: '5eed',
    rules: 1,
    opensAt: '2026-11-01T00:00:00.000Z',
    closesAt: '2026-11-08T00:00:00.000Z',
    closedAt: '2026-11-08T00:00:00.000Z',
    limits: { lives: 1, keys: 1500, hours: 24 },
    entries: 2,
    runs: 2,
    standings: [
      { ...death({ name: hostile }), place: 1, run: 'r_9', hash: 'f00d', finishedAt: '2026-11-03T00:00:00.000Z' },
    ],
    refused: [{ name: 'Forger', refusal: 'another world' }],
  }
  const over: CupRecords = {
    ...noCupRecords,
    list: async () => ({ entriesCountFor: 'cup-2', cups: [cup] }),
    find: async () => cup,
  }

  it('shows who won, whose run was refused, and the proof', async () => {
    const text = await (await pagesWith([], over)('/cup')).text()
    for (const part of ['Cup 1: over', 'href="/replay/r_9"', 'Refused: Forger', 'c0ffee', '5eed', 'counts for cup 2'])
      expect(text).toContain(part)
    expect(text).not.toContain('<img')
  })

  it('says so before the first cup, and has no runs then', async () => {
    expect(await (await pagesWith([])('/cup')).text()).toContain('No cup has been held yet')
    expect((await pagesWith([])('/replay/r_9')).status).toBe(404)
  })
})

describe('a file that browsers load', () => {
  it('is named after its content and requests nothing from elsewhere', () => {
    for (const name of readdirSync(folder).filter((each) => each !== 'assets.json')) {
      expect(name).toMatch(/-[0-9a-f]{10}\.(js|css|svg|woff2)$/)
      if (name.endsWith('.css')) expect(readFileSync(join(folder, name), 'utf8')).not.toMatch(/url\("?(https?:|\.\.)/)
    }
  })
})

it('uses the singular for one thing, in pictures and in plain text', () => {
  const life = death({ depth: 2, turn: 1, kills: 1, gold: 1200 })
  expect(epitaph(life)).toEqual(['killed by a goblin', 'on depth 2, after 1 turn', '1 kill, 1,200 gold'])
  expect(epitaph({ ...life, hasWon: true, turn: 1812, kills: 14 })).toEqual([
    'killed by a goblin',
    'out again after 1,812 turns',
    '14 kills, 1,200 gold',
  ])
  expect(toDeathCard(life)).toContain('1200 gold, 1 kill ')
})
