import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Episode } from '../../src/narration/episodes/episode.ts'
import { hearEveryPost } from '../support/hear-every-post.ts'
import { layoutShift } from '../support/layout-shift.ts'
import { type RunningSite, testBaseUrl } from '../support/running-site.ts'
import { launchFor, openPage } from '../support/site-browser.ts'
import { startHeardSite } from '../support/start-heard-site.ts'

const slug = 'fair-play'

let site: RunningSite
let browser: Browser
let episode: Episode
beforeAll(async () => {
  ;({ site, episode } = await startHeardSite(slug))
  await hearEveryPost(join(site.dataDir, 'audio'), episode)
  await vi.waitUntil(async () => (await text('/podcast')).split('data-episode=').length > 10, 240_000)
  browser = await launchFor(site, ['--autoplay-policy=no-user-gesture-required'])
})
afterAll(async () => {
  await browser?.close()
  await site?.kill('SIGTERM')
})

const text = async (path: string): Promise<string> => (await site.fetch(path)).text()
const bar = (page: Page) => page.getByRole('region', { name: 'Player', exact: true })
const sound = (page: Page) =>
  page.evaluate(() => {
    const audio = document.querySelector<HTMLAudioElement>('body > audio')
    return { src: audio?.getAttribute('src'), paused: audio?.paused, time: audio?.currentTime ?? 0 }
  })

it.each(['/podcast', `/posts/${slug}`])('%s does not shift when the script takes over late', async (path) => {
  const page = await browser.newPage({ viewport: { width: 360, height: 800 } })
  await page.route(/\.m?js$/, async (route) => {
    await delay(900)
    await route.continue()
  })
  await page.goto(testBaseUrl + path, { waitUntil: 'networkidle' })
  expect(await layoutShift(page)).toBe(0)
  await page.close()
})

it('plays every episode in one bar, which shows which one it is', async () => {
  const { page, complaints } = await openPage(browser, '/podcast', { viewport: { width: 390, height: 844 } })
  expect(await bar(page).isVisible()).toBe(false)
  const listen = page.getByRole('button', { name: /^Listen to/ })
  for (const place of [0, 1]) {
    await listen.nth(place).click()
    await expect.poll(() => sound(page)).toMatchObject({ paused: false })
    const title = await page.locator('.episode h2').nth(place).textContent()
    expect(await bar(page).locator('[data-name]').textContent()).toBe(title)
    const key = await page.locator('[data-episode]').nth(place).getAttribute('data-key')
    expect((await sound(page)).src).toBe(`/audio/${key}.mp3`)
  }
  expect(await page.locator('audio').count()).toBe(1)
  await page.keyboard.press('k')
  await expect.poll(() => sound(page)).toMatchObject({ paused: true })
  expect(complaints).toEqual([])
  await page.close()
})

it('finds spoken words, and plays from the sentence found', async () => {
  const { page } = await openPage(browser, '/podcast')
  const cue = episode.cues[2]
  await page.getByLabel('Search in the episodes').fill(cue?.text ?? '')
  await page.keyboard.press('Enter')
  const found = page.locator('[data-said] a').filter({ hasText: cue?.text.slice(0, 30) ?? '' })
  await found.first().click()
  // No time has passed at the first poll.
  let heard = 0
  await expect
    .poll(async () => {
      heard = (await sound(page)).time
      return heard
    })
    .toBeGreaterThan(0)
  expect(heard).toBeGreaterThanOrEqual(Math.floor((cue?.startMs ?? 0) / 1000))
  expect(await sound(page)).toMatchObject({ paused: false })
  expect(new URL(page.url()).pathname).toBe('/podcast')
  await page.getByLabel('Search in the episodes').fill('xyzzyplugh')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.locator('[data-said-status]').textContent()).toContain('Nobody says')
  expect(await page.locator('[data-said] li').count()).toBe(0)
  await page.close()
})

it('shows its artwork, and opens common podcast apps with the address of the feed', async () => {
  const html = await text('/podcast')
  const [, artwork = ''] = /class="artwork" src="([^"]+)"/.exec(html) ?? []
  expect((await site.fetch(artwork)).headers.get('content-type')).toBe('image/jpeg')
  const [, list = ''] = /<ul class="subscribe"[^>]*>(.*?)<\/ul>/s.exec(html) ?? []
  const links = [...list.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => decodeURIComponent(href))
  expect(links.length).toBeGreaterThan(5)
  for (const link of links)
    expect(link.endsWith(link.startsWith('/') ? '/podcast.xml' : 'farthing.test/podcast.xml')).toBe(true)
})

it('has each transcript as a page, whose times link to their sentences', async () => {
  const html = await text(`/posts/${slug}/transcript`)
  for (const { startMs } of episode.cues) expect(html).toContain(`/posts/${slug}?t=${Math.floor(startMs / 1000)}"`)
  expect(html.match(/<li/g)?.length).toBeGreaterThanOrEqual(episode.cues.length)
  const page = await browser.newPage()
  await page.goto(`${testBaseUrl}/posts/${slug}/transcript`)
  await page.locator('.transcript a').nth(2).click()
  await page.waitForURL(/\?t=\d+$/)
  await bar(page).waitFor()
  await page.close()
  expect((await site.fetch('/posts/anzen-na/transcript')).status).toBe(404)
})

it('has each transcript as markdown, too, which the page links', async () => {
  const path = `/posts/${slug}/transcript`
  const page = await site.fetch(path)
  expect([page.headers.get('vary'), page.headers.get('link'), page.headers.get('cache-control')]).toEqual([
    'Accept',
    `<${path}.md>; rel="alternate"; type="text/markdown"`,
    'public, max-age=300',
  ])
  const html = await page.text()
  expect(html).toContain(`<link rel="alternate" type="text/markdown" href="${path}.md"`)
  expect(html).toContain('<meta name="robots" content="noindex">')
  const [named, asked] = await Promise.all([
    site.fetch(`${path}.md`),
    site.fetch(path, { headers: { accept: 'text/markdown' } }),
  ])
  const type = 'text/markdown; charset=utf-8'
  expect([named.headers.get('content-type'), asked.headers.get('content-type')]).toEqual([type, type])
  expect([asked.headers.get('content-location'), named.headers.get('etag')]).toEqual([
    `${path}.md`,
    expect.stringMatching(/^"/),
  ])
  const markdown = await named.text()
  expect(await asked.text()).toBe(markdown)
  expect(markdown.match(/^- \[\d+:\d\d\]/gm)?.length).toBe(episode.cues.length)
  expect((await site.fetch('/posts/anzen-na/transcript.md')).status).toBe(404)
})

it('links the sound of every episode without JavaScript, at the same height as with it', async () => {
  const plain = (await openPage(browser, '/podcast', { javaScriptEnabled: false })).page
  const { page } = await openPage(browser, '/podcast')
  const links = plain.getByRole('link', { name: /^Listen to/ })
  expect(await links.count()).toBeGreaterThan(10)
  const sounds = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  for (const sound of sounds) {
    const { status, headers } = await site.fetch(sound, { method: 'HEAD' })
    expect([status, headers.get('content-type')]).toEqual([200, 'audio/mpeg'])
  }
  const heightOf = async (shown: Page) => {
    await shown.reload()
    return (await shown.locator('.episodes').boundingBox())?.height
  }
  const height = await heightOf(plain)
  const scripted = await heightOf(page)
  await page
    .getByRole('button', { name: /^Listen to/ })
    .first()
    .waitFor()
  expect([scripted, (await page.locator('.episodes').boundingBox())?.height]).toEqual([height, height])
  await plain.close()
  await page.close()
})
