import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toDurationText } from '../../src/core/durations.ts'
import type { Episode } from '../../src/narration/episodes/episode.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { makeEpisode } from '../support/make-episode.ts'
import { type RunningSite, testBaseUrl, testBuild } from '../support/running-site.ts'
import { launchFor, openPage } from '../support/site-browser.ts'
import { startHeardSite } from '../support/start-heard-site.ts'

const slug = 'fair-play'
const later = 'gates-belong-in-the-handler'

let site: RunningSite
let browser: Browser
let episode: Episode

beforeAll(async () => {
  ;({ site, episode } = await startHeardSite(slug))
  // Tests start playback without a user gesture; readers press the button.
  browser = await launchFor(site, ['--autoplay-policy=no-user-gesture-required'])
})
afterAll(async () => {
  await browser?.close()
  await site?.kill('SIGTERM')
})

const eventually = <Value>(read: () => Value) => expect.poll(read)
const text = async (path: string): Promise<string> => (await site.fetch(path)).text()
const now = (page: Page) => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime)
const spoken = (page: Page) =>
  page.evaluate(() => [...(CSS.highlights.get('spoken') ?? [])].map((range) => String(range)).join(' '))
const cue = (place: number) => {
  const found = episode.cues[place]
  if (!found) throw new Error(`the episode has no sentence ${place}`)
  return { ...found, start: found.startMs / 1000 }
}

/** Starts playback with the button in the byline, and pauses as soon as a sentence is highlighted. */
async function hearAWord(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Listen' }).click()
  await eventually(() => spoken(page)).not.toBe('')
  await page.getByRole('button', { name: 'Pause' }).click()
}

it('plays, highlights the spoken sentence, and steps between sentences by keyboard', async () => {
  const { page, complaints } = await openPage(browser, `/posts/${slug}`)
  expect(await page.locator('audio').isVisible()).toBe(false)
  expect(await page.getByRole('region', { name: 'Player', exact: true }).isVisible()).toBe(false)
  await page.getByRole('button', { name: /^Listen, [\d:]+ by a synthetic voice$/ }).focus()
  await page.keyboard.press('Enter')
  await eventually(() => now(page)).toBeGreaterThan(0.3)
  await eventually(() => spoken(page)).toBe(cue(0).text)
  await page.getByRole('button', { name: 'Pause' }).focus()
  await page.keyboard.press(' ')
  await page.getByRole('button', { name: 'Next sentence' }).focus()
  await page.keyboard.press('Enter')
  await eventually(() => now(page)).toBeCloseTo(cue(1).start, 1)
  await eventually(() => spoken(page)).toBe(cue(1).text)
  await page.keyboard.press('Enter')
  await eventually(() => spoken(page)).toBe(cue(2).text)
  await page.getByRole('button', { name: 'Previous sentence' }).press('Enter')
  await eventually(() => spoken(page)).toBe(cue(1).text)
  expect(complaints).toEqual([])
  await page.close()
})

it('seeks to a clicked sentence once it has been played, wherever the click hits it, but not from a link', async () => {
  const { page } = await openPage(browser, `/posts/${slug}`, { viewport: { width: 390, height: 1200 } })
  const place = (part: number) =>
    page.evaluate(
      ([words, where]) => {
        const node = document.querySelector('.prose p')?.firstChild
        const start = node?.textContent?.indexOf(words) ?? -1
        if (!node || start < 0) throw new Error('the sentence is not in the first paragraph')
        const range = document.createRange()
        range.setStart(node, start + Math.floor((words.length - 1) * where))
        range.setEnd(node, start + Math.floor((words.length - 1) * where) + 1)
        const { left, bottom } = range.getBoundingClientRect()
        // The space below the letters, above the next line.
        return [left + 1, bottom + 2] as const
      },
      [cue(2).text, part] as const,
    )
  const [x, y] = await place(0)
  await page.mouse.click(x, y)
  expect(await now(page)).toBe(0)
  await hearAWord(page)
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    await page.getByLabel('Position').fill('0')
    await eventually(() => now(page)).toBe(0)
    await page.mouse.click(...(await place(part)))
    await eventually(() => now(page)).toBeCloseTo(cue(2).start, 1)
    expect(await spoken(page)).toBe(cue(2).text)
  }
  await page.close()
})

it('scrolls the text with the voice, unless the reader has scrolled elsewhere', async () => {
  const { page } = await openPage(browser, `/posts/${slug}`, {
    viewport: { width: 390, height: 420 },
    reducedMotion: 'reduce',
  })
  const last = episode.cues.length - 1
  const place = () =>
    page.evaluate(() => {
      const [range] = CSS.highlights.get('spoken') ?? []
      return range instanceof Range ? range.getBoundingClientRect().top : Number.NaN
    })
  const heardAt = (seconds: number) =>
    page.locator('audio').evaluate((audio: HTMLAudioElement, time) => {
      audio.currentTime = time
    }, seconds)
  await hearAWord(page)
  await heardAt(cue(last).start + 0.1)
  await eventually(() => spoken(page)).toBe(cue(last).text)
  await eventually(place).toBeGreaterThan(0)
  expect(await place()).toBeLessThan(420 * 0.85)
  const bottom = await page.evaluate(() => {
    scrollTo(0, document.documentElement.scrollHeight)
    return scrollY
  })
  await heardAt(cue(1).start + 0.1)
  await eventually(() => spoken(page)).toBe(cue(1).text)
  expect(await page.evaluate(() => scrollY)).toBe(bottom)
  await page.close()
})

it('keeps the player bar in view during playback, and handles its keys only then', async () => {
  const { page } = await openPage(browser, `/posts/${slug}`, { viewport: { width: 390, height: 844 } })
  const bar = page.getByRole('region', { name: 'Player', exact: true })
  const paused = () => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.paused)
  await page.keyboard.press('k')
  expect([await paused(), await bar.isVisible()]).toEqual([true, false])
  await hearAWord(page)
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  const box = await bar.boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(844)
  await page.locator('h1').evaluate((heading) => (heading.ownerDocument.activeElement as HTMLElement | null)?.blur())
  const from = await now(page)
  await page.keyboard.press('l')
  await eventually(() => now(page)).toBeCloseTo(from + 10, 1)
  await page.keyboard.press('j')
  await eventually(() => now(page)).toBeCloseTo(from, 1)
  for (const key of ['k', ' ']) {
    await page.keyboard.press(key)
    await eventually(paused).toBe(false)
    await page.keyboard.press('k')
    await eventually(paused).toBe(true)
  }
  await page.getByRole('button', { name: 'Close the player' }).click()
  await page.keyboard.press('k')
  expect([await paused(), await bar.isVisible()]).toEqual([true, false])
  await page.close()
})

it('ignores its keys for readers who turned them off, and says which keys it has', async () => {
  const { page } = await openPage(browser, `/posts/${slug}`)
  const paused = () => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.paused)
  const play = page.getByRole('button', { name: /^(?:Play|Pause)$/ })
  await hearAWord(page)
  expect(await play.getAttribute('aria-keyshortcuts')).toBe('K')
  const choice = page.getByRole('group', { name: /^Keys/ })
  await choice.getByRole('button', { name: 'Off' }).click()
  await eventually(() => play.getAttribute('aria-keyshortcuts')).toBe(null)
  await page.locator('h1').evaluate((heading) => (heading.ownerDocument.activeElement as HTMLElement | null)?.blur())
  const from = await now(page)
  for (const key of ['k', ' ', 'l', 'j', 'L']) await page.keyboard.press(key)
  expect([await paused(), await now(page)]).toEqual([true, from])
  await choice.getByRole('button', { name: 'On' }).click()
  await page.locator('h1').evaluate((heading) => (heading.ownerDocument.activeElement as HTMLElement | null)?.blur())
  await page.keyboard.press('k')
  await eventually(paused).toBe(false)
  await page.close()
})

it('opens a deep link at its second and its sentence, without playing', async () => {
  const found = await (await site.fetch(`/api/transcripts/search.json?q=${encodeURIComponent(cue(2).text)}`)).json()
  const link = new URL(found.hits[0].deepLinkUrl)
  expect(link.href).toBe(`${testBaseUrl}/posts/${slug}?t=${Math.floor(cue(2).start)}`)
  const { page } = await openPage(browser, link.pathname + link.search)
  await eventually(() => now(page)).toBe(Math.floor(cue(2).start))
  await eventually(() => spoken(page)).not.toBe('')
  expect(await page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.paused)).toBe(true)
  await page.close()
})

it('remembers its position and its speed, and resets the position of a finished post', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const address = `${testBaseUrl}/posts/${slug}`
  await page.goto(address)
  await page.getByRole('button', { name: 'Listen' }).click()
  await page.getByLabel('Speed').selectOption('1.5')
  await eventually(() => now(page)).toBeGreaterThan(1.5)
  await page.getByRole('button', { name: 'Pause' }).click()
  const left = await now(page)
  await page.goto(address)
  await eventually(() => now(page)).toBeCloseTo(left, 1)
  expect(await page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.playbackRate)).toBe(1.5)
  await page.getByRole('button', { name: 'Listen' }).click()
  await page.getByLabel('Position').fill(String(Math.floor(episode.durationMs / 1000) - 1))
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  await page.goto(address)
  expect(await page.locator('[data-time]').textContent()).toBe('0:00')
  await context.close()
})

it('starts where the reader seeks while the sound is still loading', async () => {
  const { page } = await openPage(browser, `/posts/${slug}`)
  let send = (): void => {}
  const sent = new Promise<void>((resolve) => {
    send = resolve
  })
  await page.route('**/*.mp3', async (route) => {
    await sent
    await route.continue()
  })
  const asked = page.waitForRequest('**/*.mp3')
  await page.getByRole('button', { name: 'Listen' }).click()
  await asked
  await page.getByLabel('Position').fill('3')
  await page.getByLabel('Position').fill('4')
  send()
  await eventually(() => now(page)).toBeGreaterThan(4.3)
  await page.close()
})

it('says that the sound did not load, keeps the position, and plays when asked again', async () => {
  const { page } = await openPage(browser, `/posts/${slug}`)
  const address = `${testBaseUrl}/posts/${slug}`
  const kept = () => page.evaluate((key) => localStorage.getItem(`farthing:position:${key}`), episode.storageKey)
  await page.evaluate((key) => localStorage.setItem(`farthing:position:${key}`, '4'), episode.storageKey)
  await page.route('**/*.mp3', (route) => route.abort())
  // Loading again resets the error, so each attempt sets it anew when it has ended.
  const hasFailed = () =>
    page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.error !== null && audio.paused)
  await page.goto(address)
  const play = page.getByRole('button', { name: /^(?:Listen|Play$)/ })
  await play.first().click()
  await page.getByRole('status').getByText('No sound came. Try again.').waitFor()
  await eventually(hasFailed).toBe(true)
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await eventually(hasFailed).toBe(true)
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  expect(await kept()).toBe('4')
  await page.unroute('**/*.mp3')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await eventually(() => now(page)).toBeGreaterThan(4.3)
  expect(await page.getByText('No sound came').count()).toBe(0)
  await page.close()
})

it('keeps the position when the reader pauses before the sound has loaded', async () => {
  const { page } = await openPage(browser, `/posts/${slug}`)
  const kept = () => page.evaluate((key) => localStorage.getItem(`farthing:position:${key}`), episode.storageKey)
  await page.evaluate((key) => localStorage.setItem(`farthing:position:${key}`, '4'), episode.storageKey)
  await page.route('**/*.mp3', () => {})
  await page.goto(`${testBaseUrl}/posts/${slug}`)
  await page.getByRole('button', { name: 'Listen' }).click()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  expect(await kept()).toBe('4')
  await page.close()
})

it('returns focus to the button that opened the bar when it is closed, without scrolling', async () => {
  const { page } = await openPage(browser, `/posts/${slug}`, { reducedMotion: 'reduce' })
  await page.getByRole('button', { name: 'Listen' }).press('Enter')
  // While it plays, the page scrolls back to the spoken sentence.
  await page.getByRole('button', { name: 'Pause' }).press('Enter')
  await page.getByRole('button', { name: 'Play', exact: true }).waitFor()
  await page.evaluate(() => scrollTo(0, 900))
  const top = await page.evaluate(() => scrollY)
  await page.getByRole('button', { name: 'Close the player' }).press('Enter')
  expect(await page.locator(':focus').textContent()).toContain('Listen')
  expect(await page.evaluate(() => scrollY)).toBe(top)
  await page.close()
})

it('reports title and position to the system, and obeys keyboards, headphones and lock screens', async () => {
  const page = await browser.newPage()
  // The media keys belong to the system; the test calls the handlers that the page registered.
  await page.addInitScript(() => {
    const actions = new Map<string, (details: object) => void>()
    Object.assign(window, { press: (name: string, details: object) => actions.get(name)?.(details), positions: [] })
    MediaSession.prototype.setActionHandler = (name, handler) =>
      void actions.set(name, (details) => handler?.({ action: name, ...details }))
    MediaSession.prototype.setPositionState = (state) => void Reflect.get(window, 'positions').push(state)
  })
  await page.goto(`${testBaseUrl}/posts/${slug}`)
  await page.getByRole('button', { name: 'Listen' }).waitFor()
  const press = (name: string, details = {}) => page.evaluate(`press('${name}', ${JSON.stringify(details)})`)
  await press('nexttrack')
  await eventually(() => now(page)).toBeCloseTo(cue(0).start, 1)
  await press('nexttrack')
  await eventually(() => now(page)).toBeCloseTo(cue(1).start, 1)
  await press('seekto', { seekTime: 3 })
  await eventually(() => now(page)).toBe(3)
  await press('seekforward', { seekOffset: 4 })
  await eventually(() => now(page)).toBe(7)
  await press('seekbackward')
  await eventually(() => now(page)).toBe(0)
  await press('play')
  await eventually(() => page.evaluate('navigator.mediaSession.playbackState')).toBe('playing')
  await press('stop')
  await eventually(() => page.evaluate('navigator.mediaSession.playbackState')).toBe('paused')
  expect(await page.evaluate('positions.at(-1)')).toMatchObject({ duration: expect.any(Number), playbackRate: 1 })
  const [title, artist, picture = ''] = await page.evaluate(() => {
    const { metadata } = navigator.mediaSession
    return [metadata?.title, metadata?.artist, metadata?.artwork[0]?.src]
  })
  expect([title, artist]).toEqual([episode.title, 'Farthing'])
  expect((await site.fetch(picture)).headers.get('content-type')).toBe('image/jpeg')
  await page.close()
})

it('is the browser’s own player without JavaScript, and does not shift when the script takes over', async () => {
  const { page } = await openPage(browser, `/posts/${slug}`, { javaScriptEnabled: false })
  const audio = page.locator('audio[controls]')
  expect(await audio.isVisible()).toBe(true)
  expect(await audio.getAttribute('src')).toBe(`/audio/${episode.storageKey}.mp3`)
  const topOf = async (shown: Page) => {
    // Without fonts of the site, because on a busy machine they come too late for some views (font-display: optional).
    await shown.route('**/*.woff2', (route) => route.abort())
    await shown.reload()
    return (await shown.locator('.prose').boundingBox())?.y
  }
  const top = await topOf(page)
  const scripted = await openPage(browser, `/posts/${slug}`)
  const seen = await topOf(scripted.page)
  await scripted.page.getByRole('button', { name: 'Listen' }).waitFor()
  expect([seen, (await scripted.page.locator('.prose').boundingBox())?.y]).toEqual([top, top])
  await page.close()
  await scripted.page.close()
})

it('fits a telephone', async () => {
  const { page } = await openPage(browser, `/posts/${slug}`, { viewport: { width: 320, height: 640 } })
  await page.getByRole('button', { name: 'Listen' }).click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await page.close()
})

it('is found with the URL template of the catalog and a storage key from a feed', async () => {
  const { pointers } = await (await site.fetch('/api/catalog.json')).json()
  // On a static host the podcast lists the episodes at build time; the running site lists later ones, too.
  const file = readFileSync(join(buildFiles(testBuild()).client, 'podcast.xml'), 'utf8')
  expect(file).toContain('<podcast:guid>')
  expect(file).not.toContain(episode.storageKey)
  const [, url, length] = /<enclosure url="([^"]+)" length="(\d+)"/.exec(await text('/podcast.xml')) ?? []
  expect(pointers.audio_template.replace('{storage_key}', episode.storageKey)).toBe(url)
  const head = await site.fetch(url ?? '', { method: 'HEAD' })
  expect([head.status, head.headers.get('content-type'), head.headers.get('content-length')]).toEqual([
    200,
    'audio/mpeg',
    length,
  ])
})

it('shows a new episode everywhere, without a build and without a restart', async () => {
  const silent = await site.fetch(`/posts/${later}`)
  expect(await silent.text()).not.toContain('data-player')
  expect((await site.fetch(`/posts/${later}.vtt`)).status).toBe(404)
  const made = await makeEpisode({
    build: testBuild(),
    folder: join(site.dataDir, 'audio'),
    slug: later,
    units: 2,
  })
  await eventually(() => text(`/posts/${later}`)).toContain(`/audio/${made.storageKey}.mp3`)
  const shown = await site.fetch(`/posts/${later}`, { headers: { 'accept-encoding': 'identity' } })
  expect(shown.headers.get('etag')).not.toBe(silent.headers.get('etag'))
  const again = await site.fetch(`/posts/${later}`, {
    headers: { 'accept-encoding': 'identity', 'if-none-match': shown.headers.get('etag') ?? '' },
  })
  expect(again.status).toBe(304)
  const duration = toDurationText(made.durationMs)
  for (const path of ['/podcast', '/posts']) expect(await text(path)).toContain(duration)
  const podcast = await site.fetch('/podcast.xml')
  expect(await podcast.text()).toContain(made.storageKey)
  expect(podcast.headers.get('last-modified')).toBe(new Date(made.createdAt).toUTCString())
  expect((await site.fetch(`/posts/${later}.vtt`)).status).toBe(200)
  const search = await (await site.fetch('/api/search.json?q=gates%20handler')).json()
  expect(search.results[0]).toMatchObject({
    url: expect.stringContaining(later),
    hasNarration: true,
    narrationDuration: duration,
  })
})

it('leaves no placeholder where a narration is missing', async () => {
  for (const path of ['/', '/posts', '/podcast', '/posts/anzen-na-saishikou']) {
    const html = await text(path)
    expect([path, /%%|<!--\/?(?:narrated|silent)/.exec(html)]).toEqual([path, null])
  }
})
