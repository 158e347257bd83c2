import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openGameHost } from '../../game-server/host/open-game-host.ts'
import { readConfig } from '../../src/config/config.ts'
import { listen } from '../../src/http/listen.ts'
import { launch } from '../support/browser.ts'
import { testGameUrl } from '../support/running-service.ts'
import { type RunningSite, startSite, testBaseUrl, testBuild } from '../support/running-site.ts'
import { testBrowser } from '../support/test-browser.ts'

/** An address where nothing listens: nobody pays here. */
const nobody = 'http://127.0.0.1:9'

let site: RunningSite
let game: Awaited<ReturnType<typeof openGameHost>>
let gamePort: number
let browser: Browser
beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-names-'))
  site = await startSite({ facilitatorUrl: nobody, rpcUrl: nobody, dataDir })
  const env = { BASE_URL: testBaseUrl, GAME_URL: testGameUrl, PORT: '0', DATA_DIR: dataDir }
  game = await openGameHost(readConfig({ ...env, FACILITATOR_URL: nobody, RPC_URL: nobody }), testBuild(), () => {})
  gamePort = (await listen(game.server, { host: '127.0.0.1', port: 0 })).port
  const rules = `--host-resolver-rules=MAP desk.farthing.test:80 127.0.0.1:${gamePort}`
  // Some headers only take effect on secure origins, so Chromium is told to trust this name.
  const trust = '--unsafely-treat-insecure-origin-as-secure=http://desk.farthing.test'
  browser = await launch({ ...testBrowser(), args: [rules, trust, '--no-first-run', '--disable-gpu'] })
})
afterAll(async () => {
  await browser?.close()
  game?.beginClose()
  game?.server.closeAllConnections()
  await game?.close()
  await site?.kill('SIGTERM')
})

async function open(url: string) {
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  return { page, complaints, answer: () => page.goto(url) }
}

// The public names are farthing.test and undercroft.test; these tests use others.
describe('under another name than the public one', () => {
  it.each([
    ['an address', () => `http://127.0.0.1:${gamePort}`],
    ['a name of the game host', () => 'http://desk.farthing.test'],
  ])('such as %s, the dungeon can be played and watched', async (_, origin) => {
    const { page, complaints, answer } = await open(`${origin()}/play.html`)
    await answer()
    await page.getByLabel('Your name in the game').fill('Stranger')
    await page.getByRole('button', { name: 'Go down', exact: true }).click()
    await page.locator('canvas').waitFor()
    await page.keyboard.press('s')
    await page.goto(`${origin()}/watch`)
    await page.locator('[data-watch-stage] canvas').or(page.getByText('Nobody')).first().waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })

  it('the dungeon says before joining that it cannot be reached, and what to do', async () => {
    const { page, answer } = await open(`http://127.0.0.1:${gamePort}/play.html`)
    await page.routeWebSocket(/\/ws$/, (socket) => socket.close())
    await answer()
    await page.getByLabel('Your name in the game').fill('Outsider')
    await page.getByRole('button', { name: 'Go down', exact: true }).click()
    await page.getByRole('alert').getByText(`Open ${testGameUrl}`).waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('GAME_URL')
    await page.close()
  })

  it('the pages of the site work without violating their own policy', async () => {
    for (const path of ['/', '/posts', '/apis/llms-pack', '/search?q=payment']) {
      const { page, complaints, answer } = await open(`http://127.0.0.1:${site.port}${path}`)
      expect((await answer())?.status()).toBe(200)
      await page.waitForLoadState('networkidle')
      expect([path, complaints]).toEqual([path, []])
      await page.close()
    }
  })

  it('the price of a product can be requested on its page', async () => {
    const { page, answer } = await open(`http://127.0.0.1:${site.port}/apis/llms-pack`)
    await answer()
    await page.locator('[data-try-it] button').click()
    await page.getByText('402 Payment Required').waitFor()
    await page.close()
  })
})
