import type { Browser, Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeGameRoutes } from '../../game-server/api/game-routes.ts'
import { makeFindLive } from '../../game-server/api/to-live.ts'
import { offsets } from '../../game-server/core/grid.ts'
import { kindNumber } from '../../game-server/core/items/kinds.ts'
import { monsterNumber } from '../../game-server/core/monsters/kinds.ts'
import { spawn } from '../../game-server/core/monsters/spawn.ts'
import { isFree } from '../../game-server/core/place.ts'
import { setTurns } from '../../game-server/core/status.ts'
import { makeLives } from '../../game-server/sessions/lives.ts'
import { type RunningGameHost, startGameHost } from '../support/game-host.ts'
import { serveGamePages } from '../support/game-pages.ts'
import { layoutShift } from '../support/layout-shift.ts'

let gameHost: RunningGameHost
let pages: Awaited<ReturnType<typeof serveGamePages>>
let browser: Browser
beforeAll(async () => {
  const venue = { mode: 'cup', event: 'cup-1', seed: 'c0'.repeat(32) } as const
  const limits = { keys: 1500, at: Number.POSITIVE_INFINITY }
  gameHost = await startGameHost({
    cups: {
      enter: async ({ key }) =>
        ['champion', 'runner'].includes(key) ? { is: 'entered', venue, limits } : { is: 'no-entry' },
      isRevealed: async () => false,
    },
  })
  const { db, game, sockets } = gameHost
  const cups = { isRevealed: async () => false }
  const findLive = makeFindLive({ game, sockets, report: console.error })
  pages = await serveGamePages({
    lives: makeLives(db),
    routes: makeGameRoutes({ db, cups, now: Date.now, findLive, report: console.error }),
    findLive,
  })
  browser = await pages.launch(gameHost)
})
afterAll(async () => {
  await browser?.close()
  await pages?.close()
  await gameHost?.stop()
})

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

async function open(options: Parameters<Browser['newPage']>[0] = {}, path = '/play.html') {
  const page = await browser.newPage({ reducedMotion: 'reduce', ...options })
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(pages.url + path)
  return { page, complaints }
}

async function enter(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name in the game').fill(name)
  await page.getByRole('button', { name: 'Go down', exact: true }).click()
  await page.locator('canvas').waitFor()
}

const turnOf = async (page: Page): Promise<number> => Number(await page.locator('[data-turn]').textContent())

/** Repeats an action until time has passed in the dungeon. */
async function spendTime(page: Page, act: () => Promise<void>): Promise<void> {
  const before = await turnOf(page)
  await act()
  await expect.poll(() => turnOf(page)).toBeGreaterThan(before)
}

function playerOf(name: string) {
  const session = gameHost.game.findByName(name)
  const player = session?.realm.world.players.get(session.player)
  if (!player) throw new Error(`${name} does not play`)
  return player
}

/** Removes the monsters of a player's level: exploring stops where enemies watch, and where they are is random. */
function sendEnemiesAway(name: string): void {
  const level = gameHost.game.findByName(name)?.realm.world.levels.get(playerOf(name).depth)
  level?.monsters.splice(0)
}

/** Wounds a player so that the next turn is their last. */
function wound(name: string): void {
  const player = playerOf(name)
  player.hp = 1
  setTurns(player, 'poisoned', 50)
}

const log = (page: Page): Locator => page.getByRole('log', { name: 'What happened' }).first()

describe('the dungeon in a browser', () => {
  it('is played by keyboard, with custom keys and by pointer, and resumes after a reload', async () => {
    const { page, complaints } = await open()
    await enter(page, 'Keys')
    await log(page).getByText('The door falls shut').waitFor()
    await spendTime(page, () => page.keyboard.press('.'))
    sendEnemiesAway('Keys')
    await spendTime(page, () => page.keyboard.press('o'))

    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'wait a turn' }).click()
    await page.keyboard.press('v')
    await page.getByRole('button', { name: 'Close' }).click()
    await spendTime(page, () => page.keyboard.press('v'))

    const box = await page.locator('canvas').boundingBox()
    if (!box) throw new Error('there is no picture')
    await spendTime(page, async () => {
      for (const x of [0.2, 0.35, 0.45, 0.55, 0.65, 0.8])
        for (const y of [0.2, 0.45, 0.55, 0.8]) await page.mouse.click(box.x + x * box.width, box.y + y * box.height)
    })
    // The last click may still be on its way to the host.
    await page.keyboard.press('o')
    await page.waitForTimeout(300)

    await page.reload()
    await expect.poll(() => turnOf(page)).toBeGreaterThan(0)
    await expect.poll(() => turnOf(page)).toBe(playerOf('Keys').turn)
    await spendTime(page, () => page.keyboard.press('v'))
    expect(complaints).toEqual([])
    await page.close()
  })

  it('says what lies in view and where, what a player may choose from it, and what enemies intend', async () => {
    const { page } = await open()
    await enter(page, 'Seer')
    sendEnemiesAway('Seer')
    const { player, realm } = gameHost.game.findByName('Seer') ?? {}
    const { cell, depth, strength } = playerOf('Seer')
    const level = realm?.world.levels.get(depth)
    if (!realm || !level || player === undefined) throw new Error('Seer is nowhere')
    level.piles.clear()
    level.piles.set(cell, { kind: kindNumber('sword'), count: 1, power: 2, taken: 0, vault: 7 })
    const beside = offsets.map((offset) => cell + offset).find((each) => isFree(level, each)) ?? 0
    spawn(realm.world, level, monsterNumber('goblin'), beside, 'hunting').stunned = 9
    await spendTime(page, () => page.keyboard.press('.'))
    const seen = page.getByRole('list', { name: 'In view' })
    await seen.getByText('+2 sword, here; take one of several').waitFor()
    await seen.getByText('goblin, helpless').waitFor()
    await page.getByText(`strength ${strength}`).waitFor()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Text mode, for screen readers' }).click()
    await page.getByText(`Strength ${strength}.`).waitFor()
    await page.close()
  })

  it('is played by touch, with targets that are large enough', async () => {
    const { page, complaints } = await open(phone)
    await enter(page, 'Thumbs')
    const pad = page.getByRole('group', { name: 'Touch controls' })
    await spendTime(page, () => pad.getByRole('button', { name: 'wait a turn' }).tap())
    sendEnemiesAway('Thumbs')
    await spendTime(page, () => pad.getByRole('button', { name: 'explore' }).tap())
    for (const button of await page.locator('.table button:visible').all()) {
      const box = await button.boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), (await button.textContent()) ?? '').toBeGreaterThanOrEqual(44)
    }
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('walks on while a finger holds a direction, and no longer once it slides off or a second one was lifted', async () => {
    const { page } = await open(phone)
    await enter(page, 'Slider')
    const sent: string[] = []
    await page.exposeFunction('told', (text: string) => void sent.push(text))
    await page.evaluate(() => {
      const send = WebSocket.prototype.send
      WebSocket.prototype.send = function (data) {
        const { key } = JSON.parse(String(data))
        if (key) Reflect.get(globalThis, 'told')(key)
        send.call(this, data)
      }
    })
    const pad = page.getByRole('group', { name: 'Touch controls' })
    const placeOf = async (name: string) => {
      const box = await pad.getByRole('button', { name, exact: true }).boundingBox()
      if (!box) throw new Error(`${name} is not there`)
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    }
    const [wait, west] = [await placeOf('wait a turn'), await placeOf('west')]
    const touches = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: { x: number; y: number; id?: number }[]) =>
      touches.send('Input.dispatchTouchEvent', { type, touchPoints: points })
    const isStill = async () => {
      await page.waitForTimeout(300)
      const before = sent.length
      await page.waitForTimeout(700)
      return sent.length === before
    }

    await touch('touchStart', wait)
    await expect.poll(() => sent.length).toBeGreaterThan(3)
    await touch('touchMove', { x: wait.x - 20, y: wait.y })
    await touch('touchMove', west)
    expect(await isStill()).toBe(true)
    await touch('touchEnd')
    // A click without a touch, as from a screen reader, counts after a touch that was abandoned.
    sent.length = 0
    await pad.getByRole('button', { name: 'wait a turn' }).dispatchEvent('click')
    await expect.poll(() => sent).toEqual(['.'])

    const [one, other] = [
      { ...wait, id: 1 },
      { ...wait, x: wait.x + 6, id: 2 },
    ]
    await touch('touchStart', one)
    await touch('touchStart', one, other)
    await touch('touchEnd')
    expect(await isStill()).toBe(true)

    // A dialog that opens over a held button ends the touch.
    await touch('touchStart', wait)
    await page.evaluate(() => document.querySelector<HTMLDialogElement>('[data-menu]')?.showModal())
    expect(await isStill()).toBe(true)
    await touch('touchEnd')
    await page.close()
  })

  it('is played in text, without the picture', async () => {
    const { page, complaints } = await open()
    await page.getByLabel('Your name in the game').fill('Words')
    await page.getByRole('button', { name: 'Go down in text' }).click()
    const status = page.locator('[data-text-status]')
    await status.getByText(/Depth 1, turn 0\. Health \d+ of \d+\./).waitFor()
    expect(await page.locator('canvas').isVisible()).toBe(false)
    await page.keyboard.type('wait')
    await page.keyboard.press('Enter')
    await status.getByText('turn 1.').waitFor()
    await page.getByRole('button', { name: /^\. / }).click()
    await status.getByText('turn 2.').waitFor()
    // Focus stays on the direction that was pressed.
    await page.keyboard.press('Enter')
    await status.getByText('turn 3.').waitFor()
    await page.getByLabel('Your move').fill('xyzzy')
    await page.keyboard.press('Enter')
    await log(page).getByText('There is no key "xyzzy".', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Back to the picture' }).click()
    await spendTime(page, () => page.keyboard.press('.'))
    expect(complaints).toEqual([])
    await page.close()
  })

  it('keeps keyboard focus among the choices when the chosen one is gone', async () => {
    const { page } = await open()
    await page.getByLabel('Your name in the game').fill('Worder')
    await page.getByRole('button', { name: 'Go down in text' }).click()
    await page
      .locator('[data-text-status]')
      .getByText(/turn 0\./)
      .waitFor()
    const ways = page.getByRole('list', { name: 'What you can do' })
    const drink = ways.getByRole('button', { name: /^\d drink / })
    await drink.focus()
    for (const turn of [1, 2]) {
      await page.keyboard.press('Enter')
      await page.locator('[data-text-status]').getByText(`turn ${turn}.`).waitFor()
    }
    expect(await drink.count()).toBe(0)
    expect(await ways.locator('button:focus').count()).toBe(1)
    await page.close()
  })

  it('keeps keyboard focus in the pack when an item is used', async () => {
    const { page } = await open()
    await enter(page, 'Packer')
    const potions = page.locator('[data-pack] button')
    await potions.waitFor()
    const before = await potions.textContent()
    await page.locator('[data-log]').focus()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => potions.textContent()).not.toBe(before)
    expect(await potions.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.close()
  })

  it('shows the text to copy where a browser has no clipboard, as over plain http', async () => {
    const { page, complaints } = await open()
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'clipboard'))
    await page.reload()
    await enter(page, 'Plain')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Copy my token' }).click()
    await expect.poll(() => page.locator('[data-menu-told]').textContent()).toMatch(/^rt_/)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('scrolls the log with the keys that otherwise walk, when the log is longer than shown', async () => {
    const { page } = await open({ viewport: { width: 1000, height: 420 } })
    await enter(page, 'Reader')
    await spendTime(page, () => page.keyboard.press('.'))
    sendEnemiesAway('Reader')
    const lines = log(page)
    await lines.evaluate((place) => place.append(...Array.from({ length: 60 }, () => document.createElement('p'))))
    await lines.evaluate((place) => {
      for (const line of place.children) line.textContent ||= 'Long ago.'
      place.scrollTop = place.scrollHeight
    })
    const [turn, top] = [await turnOf(page), await lines.evaluate(({ scrollTop }) => scrollTop)]
    await lines.focus()
    for (const key of ['ArrowUp', 'PageUp', 'Home']) {
      const before = await lines.evaluate(({ scrollTop }) => scrollTop)
      await page.keyboard.press(key)
      await expect.poll(() => lines.evaluate(({ scrollTop }) => scrollTop)).toBeLessThan(before)
    }
    expect([top > 0, await turnOf(page)]).toEqual([true, turn])
    await spendTime(page, () => page.keyboard.press('.'))
    await page.close()
  })

  it('keeps a chat line that was refused in its field, and says why', async () => {
    const { page } = await open()
    await enter(page, 'Talker')
    const { page: other } = await open()
    await enter(other, 'Listener')
    const field = page.getByPlaceholder('Say something')
    await field.fill('hello')
    await page.keyboard.press('Enter')
    await log(other).getByText('Talker: hello').waitFor()
    await expect.poll(() => field.inputValue()).toBe('')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('CANVAS')
    await field.fill('and a long line that nobody wants to write twice')
    await page.keyboard.press('Enter')
    await log(page).getByText('you can say something every 5 seconds').waitFor()
    expect(await field.inputValue()).toBe('and a long line that nobody wants to write twice')
    expect(await field.evaluate((each) => each === document.activeElement)).toBe(true)
    await other.close()
    await page.close()
  })

  it('shows the form for remarks only while another person is there, or somebody writes in it', async () => {
    const { page } = await open()
    const lists: string[] = []
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).startsWith('{"type":"players"')) lists.push(String(payload))
      }),
    )
    await enter(page, 'Inviter')
    const { page: guest } = await open()
    await enter(guest, 'Guest')
    const field = page.getByPlaceholder('Say something')
    await field.fill('where are you?')
    await guest.close()
    await expect.poll(() => lists.at(-1)).not.toContain('Guest')
    await page.keyboard.press('Enter')
    await log(page).getByText('No other person is in this dungeon now.').waitFor()
    expect(await field.inputValue()).toBe('where are you?')
    await page.locator('canvas').focus()
    expect(await field.isVisible()).toBe(false)
    await page.close()
  })

  it('does not use letters, digits and signs when they are turned off, and has buttons for their actions', async () => {
    const { page } = await open({ viewport: { width: 1280, height: 800 } })
    await enter(page, 'Speaker')
    await spendTime(page, () => page.keyboard.press('.'))
    sendEnemiesAway('Speaker')
    const pad = page.getByRole('group', { name: 'Touch controls' })
    expect(await pad.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByLabel('Play with letters, digits and signs').uncheck()
    expect(await page.getByRole('button', { name: 'explore' }).locator('kbd').count()).toBe(0)
    await page.getByRole('button', { name: 'Close' }).click()
    await page.reload()
    await expect.poll(() => turnOf(page)).toBeGreaterThan(0)
    const turn = await turnOf(page)
    for (const key of ['o', 'm', '.', '1', 'h', 'R', '>']) await page.keyboard.press(key)
    await page.waitForTimeout(300)
    expect([await turnOf(page), await page.locator('dialog[open]').count()]).toEqual([turn, 0])
    expect(await page.locator('canvas').getAttribute('aria-label')).not.toContain('o explores')
    await spendTime(page, () => pad.getByRole('button', { name: 'wait a turn' }).click())
    await spendTime(page, async () => {
      for (const key of ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) await page.keyboard.press(key)
    })
    await page.close()
  })

  it.each([
    ['letters twice as large', { width: 1280, height: 800 }, 32],
    ['a window magnified to the fourfold', { width: 320, height: 256 }, 16],
  ])('keeps the dungeon and the controls below it apart and within reach with %s', async (_, viewport, letters) => {
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce' })
    const page = await context.newPage()
    const wire = await context.newCDPSession(page)
    await wire.send('Page.enable')
    await wire.send('Page.setFontSizes', { fontSizes: { standard: letters, fixed: letters } })
    await page.goto(`${pages.url}/play.html`)
    await enter(page, `Large${letters}`)
    await spendTime(page, () => page.keyboard.press('.'))
    await page.locator('[data-say-form]').evaluate((form) => form.removeAttribute('hidden'))
    const boxes = await Promise.all(
      ['.stage', '.log-lines', '.say', '.pack', '.pad'].map((part) => page.locator(part).boundingBox()),
    )
    expect(boxes[0]?.height ?? 0).toBeGreaterThanOrEqual(150)
    for (const [at, box] of boxes.entries())
      if (at > 0) expect((boxes[at - 1]?.y ?? 0) + (boxes[at - 1]?.height ?? 0)).toBeLessThanOrEqual(box?.y ?? 0)
    // The button can be pressed once it is scrolled into view.
    await spendTime(page, () => page.getByRole('button', { name: 'wait a turn' }).click())
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await context.close()
  })

  it('says before the game that it needs JavaScript, where there is none', async () => {
    const { page } = await open({ javaScriptEnabled: false })
    expect(await page.locator('noscript p').isVisible()).toBe(true)
    await page.close()
  })

  it('accepts a name with a trailing space from a keyboard, and says which letters names may have', async () => {
    const { page } = await open()
    const field = page.getByLabel('Your name in the game')
    await field.fill('أحمد')
    await page.getByRole('button', { name: 'Go down', exact: true }).click()
    expect(await field.evaluate((input: HTMLInputElement) => [input.validity.valid, input.title])).toEqual([
      false,
      expect.stringContaining('letters from A to Z'),
    ])
    expect(await page.locator('canvas').isVisible()).toBe(false)
    await enter(page, ' Spacious ')
    expect(playerOf('Spacious').name).toBe('Spacious')
    await page.close()
  })

  it('lets a player join on another device with the token, and says so when the token is unknown', async () => {
    const { page } = await open()
    await enter(page, 'Mover')
    const key = await page.evaluate(() => JSON.parse(localStorage.getItem('undercroft.player') ?? '{}'))
    await page.close()
    const { page: other } = await open()
    const come = async (token: string) => {
      if (!(await other.getByLabel('Token').isVisible())) await other.getByText('I have a token').click()
      await other.getByLabel('Token').fill(token)
      await other.getByRole('button', { name: 'Go down', exact: true }).click()
    }
    await other.getByLabel('Your name in the game').fill('Mover')
    await come('rt_of_nobody')
    await other.getByRole('alert').getByText('nobody has this token').waitFor()
    expect(await other.evaluate('localStorage.getItem("undercroft.player")')).toBeNull()
    await come(` ${key.token} `)
    await log(other).getByText('You are back').waitFor()
    expect(await other.evaluate(() => JSON.parse(localStorage.getItem('undercroft.player') ?? '{}'))).toEqual(key)
    await other.close()
  })

  it('needs no scrolling on a phone, upright or sideways', async () => {
    const across = [
      { width: 667, height: 375 },
      { width: 740, height: 360 },
      { width: 844, height: 390 },
    ]
    for (const viewport of [phone.viewport, ...across]) {
      const { page } = await open({ ...phone, viewport })
      await enter(page, `Held${viewport.width}`)
      expect(await page.evaluate('document.documentElement.scrollHeight <= innerHeight')).toBe(true)
      await page.close()
    }
  })

  it('warns before it forgets a token that cannot be shown again', async () => {
    const { page } = await open()
    await enter(page, 'Fickle')
    await page.getByRole('button', { name: 'Menu' }).click()
    const leave = page.getByRole('button', { name: 'Play under another name' })
    await leave.click()
    await page.getByText('This browser would forget the key of Fickle').waitFor()
    expect(await page.evaluate('localStorage.getItem("undercroft.player")')).toContain('Fickle')
    await leave.click()
    await page.getByLabel('Your name in the game').waitFor()
    expect(await page.evaluate('localStorage.getItem("undercroft.player")')).toBe(null)
    await page.close()
  })

  it('warns again when the token that it would forget has changed meanwhile', async () => {
    const { page } = await open()
    await enter(page, 'Twofold')
    await page.getByRole('button', { name: 'Menu' }).click()
    const leave = page.getByRole('button', { name: 'Play under another name' })
    await leave.click()
    await page.getByText('would forget the key of Twofold').waitFor()
    // The store does the same in another window.
    await page.evaluate(() => localStorage.setItem('undercroft.player', JSON.stringify({ name: 'Bought', token: 'b' })))
    await leave.click()
    await page.getByText('would forget the key of Bought').waitFor()
    await page.getByRole('button', { name: 'Copy my token' }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('undercroft.player'))).toContain('Bought')
    await page.close()
  })

  it('keeps a token that the host does not know, offers it, and joins under a new name', async () => {
    const { page } = await open()
    const kept = () => page.evaluate(() => localStorage.getItem('undercroft.player'))
    await page.evaluate(() =>
      localStorage.setItem('undercroft.player', JSON.stringify({ name: 'Restored', token: 'rt_lost' })),
    )
    await page.reload()
    await page.getByText('nobody has this token').waitFor()
    await page.getByText('This browser still has the key of Restored').waitFor()
    expect(await kept()).toContain('rt_lost')
    await page.getByRole('button', { name: 'Copy that key' }).click()
    await page.getByText(/^Copied\.|rt_lost/).waitFor()
    await enter(page, 'Renewed')
    await expect.poll(kept).toContain('Renewed')
    await page.close()
  })

  it('ends with a card that can be shared, and begins again', async () => {
    const { page } = await open()
    await enter(page, 'Mortal')
    wound('Mortal')
    // More keys than the life lasts: the rest are dropped and do not start the next life.
    for (let times = 0; times < 4; times++) await page.keyboard.press('.')
    const end = page.getByRole('dialog', { name: 'You die' })
    await end.waitFor()
    const card = await end.getByRole('link', { name: 'The card' }).getAttribute('href')
    const other = await browser.newPage()
    await other.goto(pages.url + card)
    await other.getByRole('heading', { name: 'Mortal is dead' }).waitFor()
    await other.goto(`${pages.url}/watch`)
    await other.getByRole('link', { name: 'Mortal' }).first().waitFor()
    await other.close()
    await end.getByRole('button', { name: 'Again' }).click()
    // The page shows the turns of the ended life until the next one begins.
    await expect.poll(() => turnOf(page)).toBe(0)
    await log(page).getByText('The door falls shut').waitFor()
    await spendTime(page, () => page.keyboard.press('.'))
    await page.close()
  })

  it('is won by carrying the Amulet up and out, and says so everywhere', async () => {
    const { page, complaints } = await open()
    await enter(page, 'Winner')
    sendEnemiesAway('Winner')
    const player = playerOf('Winner')
    const level = gameHost.game.findByName('Winner')?.realm.world.levels.get(1)
    player.hasAmulet = true
    player.cell = level?.up ?? 0
    await spendTime(page, () => page.keyboard.press('.'))
    await page.getByText('the Amulet, strength').waitFor()
    await page.keyboard.press('<')
    const end = page.getByRole('dialog', { name: 'You are out' })
    await end.getByText('escaped with the Amulet').waitFor()
    await end.getByText('51,000').waitFor()
    const link = await end.getByRole('link').first().getAttribute('href')
    await page.goto(`${pages.url}${link}`)
    await page.getByRole('heading', { name: 'Winner got out' }).waitFor()
    const picture = await page.locator('meta[property="og:image:alt"]').getAttribute('content')
    expect(picture).toMatch(/^A card for Winner: escaped with the Amulet, /)
    expect(complaints).toEqual([])
    await page.goto(`${pages.url}/watch`)
    await page.getByRole('cell', { name: 'Winner escaped' }).first().waitFor()
    await page.close()
  })

  it('gives a second player another name, lets both chat, and leaves a window whose player moved to another one', async () => {
    const { page } = await open()
    await enter(page, 'Twice')
    // The connection breaks once and is restored.
    gameHost.sockets.drop('twice')
    await log(page).getByText('You are back').waitFor()
    const { page: stranger } = await open()
    await enter(stranger, 'Twice')
    await log(stranger).getByText('The name Twice is taken').waitFor()
    await stranger.getByPlaceholder('Say something').fill('well met')
    await stranger.keyboard.press('Enter')
    await log(page).getByText('Twice-2: well met').waitFor()
    const state = await page.context().storageState()
    await stranger.close()
    const { page: elsewhere } = await open({ storageState: state })
    await log(elsewhere).getByText('You are back').waitFor()
    await page.getByText('You play on in another window').waitFor()
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    expect(await page.locator('[data-line]').textContent()).toContain('in another window')
    await elsewhere.close()
    await page.close()
  })

  it('shows the life that began when the connection was restored after a death', async () => {
    const { page } = await open()
    await enter(page, 'Lost')
    await spendTime(page, () => page.keyboard.press('.'))
    wound('Lost')
    await page.keyboard.press('.')
    const end = page.getByRole('dialog', { name: 'You die' })
    await end.waitFor()
    gameHost.sockets.drop('lost')
    await expect.poll(() => gameHost.game.findByName('Lost')?.isOver).toBe(false)
    await log(page).getByText('The door falls shut').nth(1).waitFor()
    await end.getByRole('button', { name: 'Again' }).click()
    await spendTime(page, () => page.keyboard.press('.'))
    expect(await log(page).textContent()).not.toContain('already plays')
    await page.close()
  })

  it.each([
    ['cup', 'Champion'],
    ['daily', 'Early'],
  ])('is the %s dungeon when its address says so, for one life, and then the open one', async (mode, name) => {
    const { page } = await open({}, `/play.html?mode=${mode}`)
    const modeOf = () => gameHost.game.findByName(name)?.realm.mode
    await enter(page, name)
    expect(modeOf()).toBe(mode)
    await page.reload()
    await log(page).getByText('You are back').waitFor()
    expect(modeOf()).toBe(mode)
    wound(name)
    await page.keyboard.press('.')
    await page.getByRole('dialog', { name: 'You die' }).getByRole('button', { name: 'Again' }).click()
    await expect.poll(modeOf).toBe('open')
    await page.reload()
    await log(page).getByText('You are back').waitFor()
    expect(modeOf()).toBe('open')

    await page.goto(`${pages.url}/play.html?mode=${mode}`)
    await page.getByRole('alert').getByText('one life').waitFor()
    expect(await page.getByLabel('Your name in the game').inputValue()).toBe(name)
    await page.getByRole('button', { name: 'Go down', exact: true }).click()
    await log(page).getByText('You are back').waitFor()
    await page.close()
  })

  it('leads from the end of a run in the cup to the page of the cup', async () => {
    const { page } = await open({}, '/play.html?mode=cup')
    await enter(page, 'Runner')
    wound('Runner')
    await page.keyboard.press('.')
    const link = page.getByRole('dialog', { name: 'You die' }).getByRole('link')
    await link.waitFor()
    expect([await link.textContent(), await link.getAttribute('href')]).toEqual(['The cup', '/cup'])
    await link.click()
    await page.getByRole('heading', { name: 'Agent Cup' }).waitFor()
    await page.close()
  })

  it('says why a player without an entry is not in the cup, and offers the open dungeon', async () => {
    const { page } = await open({}, '/play.html?mode=cup')
    await page.getByLabel('Your name in the game').fill('Outsider')
    await page.getByRole('button', { name: 'Go down', exact: true }).click()
    await page.getByRole('alert').getByText('has no entry for the cup: join with the token').waitFor()
    await page.getByRole('button', { name: 'Go down', exact: true }).click()
    await page.locator('canvas').waitFor()
    expect(gameHost.game.findByName('Outsider')?.realm.mode).toBe('open')
    await page.close()
  })

  it('says why the connection was closed to a player who pressed too many keys at once', async () => {
    const { page } = await open()
    await enter(page, 'Hasty')
    await page.evaluate(() => {
      for (let press = 0; press < 600; press++)
        document.dispatchEvent(new KeyboardEvent('keydown', { key: '<', bubbles: true, cancelable: true }))
    })
    await page.getByText('Reload to come back').waitFor()
    await page.close()
  })

  it('keeps the token of a player who is sent away for a while and then resumes the same life', async () => {
    const { page } = await open()
    await enter(page, 'Rude')
    await spendTime(page, () => page.keyboard.press('.'))
    await gameHost.moderation.keep('kick', 'rude', 3_600_000)
    gameHost.sockets.drop('rude')
    await page.getByRole('alert').getByText('sent this player away').waitFor()
    await gameHost.moderation.keep('kick', 'rude', 0)
    await page.reload()
    await log(page).getByText('You are back').waitFor()
    await page.close()
  })

  it('is watched by others, slightly delayed, on a page whose layout does not shift', async () => {
    const { page } = await open()
    await enter(page, 'Star')
    await spendTime(page, () => page.keyboard.press('.'))
    const watcher = await browser.newPage({ viewport: phone.viewport })
    await watcher.goto(`${pages.url}/watch`)
    await watcher.getByText(/^You are watching/).waitFor()
    const star = watcher.getByRole('button', { name: /^Star, a person, depth 1/ })
    await star.waitFor()
    expect(await layoutShift(watcher)).toBe(0)
    await star.click()
    await watcher.getByText('You are watching Star, a person, 2 seconds behind').waitFor()
    await watcher.locator('[data-watch-stage] canvas').waitFor()
    await watcher.close()
    await page.close()
  })

  it('says once to a spectator that nobody is there, however often it checks', async () => {
    const page = await browser.newPage()
    await page.clock.install()
    let answers = 0
    page.on('websocket', (socket) => socket.on('framereceived', () => (answers += 1)))
    await page.goto(`${pages.url}/watch?player=Nobody-There`)
    const status = page.getByText('Nobody with that name is playing now.')
    await status.waitFor()
    const told = await status.evaluateHandle((element) => {
      const changes: string[] = []
      new MutationObserver(() => changes.push(element.textContent)).observe(element, { childList: true })
      return changes
    })
    for (const times of [2, 3]) {
      await page.clock.runFor(6500)
      await expect.poll(() => answers).toBeGreaterThanOrEqual(times)
    }
    expect(await told.jsonValue()).toEqual([])
    await page.close()
  })

  it('says that the connection is lost, and that the game waits', async () => {
    const { page } = await open()
    await enter(page, 'Patient')
    const { page: inWords } = await open()
    await inWords.getByLabel('Your name in the game').fill('Worded')
    await inWords.getByRole('button', { name: 'Go down in text' }).click()
    await inWords.locator('[data-text-status]').getByText('turn 0').waitFor()
    await gameHost.sockets.close()
    for (const each of [page, inWords])
      await each.getByRole('status').getByText('The connection is down; trying again').waitFor()
    // A chat line written meanwhile is not lost.
    await page.locator('[data-say-form]').evaluate((form) => form.removeAttribute('hidden'))
    await page.getByPlaceholder('Say something').fill('is anybody there?')
    await page.keyboard.press('Enter')
    expect(await page.getByPlaceholder('Say something').inputValue()).toBe('is anybody there?')
    await inWords.close()
    await page.close()
  })
})
