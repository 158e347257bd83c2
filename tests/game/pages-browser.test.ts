import { setTimeout as delay } from 'node:timers/promises'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type RunningGameHost, startGameHost } from '../support/game-host.ts'
import { serveGamePages } from '../support/game-pages.ts'
import { layoutShift } from '../support/layout-shift.ts'

const death = {
  id: 'd_1',
  // The widest possible name.
  name: 'W'.repeat(24),
  kind: 'agent',
  cause: 'killed by a goblin',
  depth: 4,
  turn: 812,
  gold: 96,
  kills: 14,
  score: 4192,
  hasWon: true,
  at: 0,
  frame: 'frame_void',
  realm: 'r_1',
  mode: 'open',
  credits: 10,
} as const

let gameHost: RunningGameHost
let pages: Awaited<ReturnType<typeof serveGamePages>>
let browser: Browser
beforeAll(async () => {
  gameHost = await startGameHost()
  pages = await serveGamePages({
    lives: {
      find: async (id) => (id === 'd_1' ? { death, isSettled: true } : undefined),
      recent: async () => [death],
      best: async ({ kind }) => (kind === 'agent' ? [death] : []),
    },
  })
  browser = await pages.launch(gameHost)
})
afterAll(async () => {
  await browser?.close()
  await pages?.close()
  await gameHost?.stop()
})

const findings = z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) }))

/** Accessibility faults on a phone and on a desktop, and elements that overflow a very small screen. */
async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const barriers: string[] = []
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    const found: unknown = await page.evaluate(
      'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)',
    )
    for (const { id, nodes } of findings.parse(found))
      barriers.push(`${width} px, ${id}: ${nodes.map(({ html }) => html).join(' | ')}`)
  }
  const shown = await page
    .locator('[hidden]')
    .evaluateAll((all) =>
      all
        .filter((each) => getComputedStyle(each).display !== 'none' && getComputedStyle(each).visibility !== 'hidden')
        .map((each) => `${each.outerHTML.slice(0, 80)} is hidden, and shown`),
    )
  barriers.push(...shown)
  await page.setViewportSize({ width: 320, height: 700 })
  const over = z.number().parse(await page.evaluate('document.documentElement.scrollWidth - innerWidth'))
  if (over > 0) barriers.push(`320 px: ${over} px too wide`)
  return barriers
}

it.each(['/', '/watch', '/mcp.html', '/store.html', '/cup', '/death/d_1', '/replay/d_1', '/play.html'])(
  '%s does not shift while fonts and scripts load late',
  async (path) => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } })
    await page.route(/\.(?:woff2|js)$/, async (route) => {
      await delay(900)
      await route.continue()
    })
    await page.goto(pages.url + path, { waitUntil: 'networkidle' })
    expect(await layoutShift(page)).toBe(0)
    await page.close()
  },
)

it('keeps the name of the game on one line when its font loads late', async () => {
  const page = await browser.newPage()
  await page.route(/\.woff2$/, (route) => route.abort())
  await page.goto(pages.url)
  const broken: number[] = []
  for (const width of [320, 390, 768, 840, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 844 })
    const lines = await page.locator('h1').evaluate((title) => {
      const words = document.createRange()
      words.selectNodeContents(title)
      return new Set([...words.getClientRects()].map(({ top }) => Math.round(top))).size
    })
    if (lines !== 1) broken.push(width)
  }
  await page.close()
  expect(broken).toEqual([])
})

describe('accessibility of', () => {
  let page: Page
  beforeAll(async () => {
    page = await browser.newPage({ reducedMotion: 'reduce' })
  })

  it.each(['/', '/watch', '/mcp.html', '/store.html', '/cup', '/death/d_1', '/replay/d_1', '/no-such-page'])(
    '%s',
    async (path) => {
      await page.goto(pages.url + path)
      expect(await findBarriers(page)).toEqual([])
    },
  )

  it('the game, with its join form, its picture, its menu and its text', async () => {
    await page.goto(`${pages.url}/play.html`)
    expect(await findBarriers(page)).toEqual([])
    await page.getByLabel('Your name in the game').fill('Ada')
    await page.getByRole('button', { name: 'Go down', exact: true }).click()
    await page.getByText('The door falls shut').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Menu' }).click()
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Text mode' }).click()
    await page.getByText(/Depth 1, turn 0/).waitFor()
    expect(await findBarriers(page)).toEqual([])
  })
})
