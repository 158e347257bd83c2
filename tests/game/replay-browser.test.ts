import type { Browser } from 'playwright'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashWorld } from '../../game-server/core/hash-world.ts'
import { legalKeys } from '../../game-server/core/legal-keys.ts'
import { below, makeRng } from '../../game-server/core/prng.ts'
import { type Command, step } from '../../game-server/core/step.ts'
import { makeWorld, rules } from '../../game-server/core/world.ts'
import { figure } from '../support/figures.ts'
import { noCupRecords, serveGamePages } from '../support/game-pages.ts'

const lives = figure(100, 1000)
const keys = figure(10, 300)

/** A randomly played life, recorded as the host does it. */
function live(seed: string, keysOfLife: number) {
  const world = makeWorld(seed)
  const rng = makeRng(seed, 'keys')
  const commands: Command[] = [{ is: 'join', name: 'Ada', kind: 'human' }]
  step(world, { is: 'join', name: 'Ada', kind: 'human' }, [])
  while (commands.length < keysOfLife && world.players.get(1)?.ending === '') {
    const legal = legalKeys(world, 1)
    // Exploring gets further than random walking, and so covers more of the rules.
    const key = below(rng, 3) === 0 ? 'o' : (legal[below(rng, legal.length)]?.key ?? '.')
    const command: Command = { is: 'key', player: 1, key }
    commands.push(command)
    step(world, command, [])
  }
  return { rules, seed, player: 1, commands, hash: hashWorld(world) }
}

const run = live('a life on the page', 40)
const forged = { ...run, commands: run.commands.toSpliced(5, 1) }
const death = {
  id: 'd_1',
  name: 'Ada',
  kind: 'human',
  cause: 'killed by a goblin',
  depth: 1,
  turn: 1,
  gold: 0,
  kills: 0,
  score: 1000,
  hasWon: false,
  at: 0,
  frame: 'plain',
  realm: 'r_1',
  mode: 'open',
  credits: 10,
} as const

let pages: Awaited<ReturnType<typeof serveGamePages>>
let browser: Browser
beforeAll(async () => {
  pages = await serveGamePages({
    lives: {
      find: async (id) => (id === 'd_1' ? { death, isSettled: true } : undefined),
      recent: async () => [death],
      best: async () => [],
    },
    cups: { ...noCupRecords, findRun: async () => ({ ...run, life: { ...death, turn: 1 } }) },
    routes: [
      { path: '/api/replays/d_1', handlers: { GET: () => Response.json(run) } },
      { path: '/api/cup-runs/r_1', handlers: { GET: () => Response.json(forged) } },
    ],
  })
  browser = await pages.launch()
})
afterAll(async () => {
  await browser?.close()
  await pages?.close()
})

describe('a replay in the browser', () => {
  it('plays, pauses, steps, jumps to the end, and says that the life is verified', async () => {
    const page = await browser.newPage()
    await page.goto(`${pages.url}/replay/d_1`)
    const figures = page.locator('[data-replay-figures]')
    await figures.getByText(`Command 1 of ${run.commands.length}`).waitFor()
    await page.getByRole('button', { name: 'One step' }).click()
    await figures.getByText(`Command 2 of ${run.commands.length}`).waitFor()
    await page.getByRole('button', { name: 'One back' }).click()
    await figures.getByText(`Command 1 of ${run.commands.length}`).waitFor()
    await page.getByLabel('Speed').selectOption('60')
    await page.getByRole('button', { name: 'Play' }).click()
    await figures.getByText(/Command ([5-9]|1\d) of/).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'To the end' }).click()
    await page.getByText('this record is true').waitFor()
    await page.close()
  })

  it('detects a changed file', async () => {
    const page = await browser.newPage()
    await page.goto(`${pages.url}/replay/r_1`)
    await page.getByRole('button', { name: 'To the end' }).click()
    await page.getByText('this file was changed').waitFor()
    await page.close()
  })

  it(`comes to the same ${lives} worlds as the host`, async () => {
    const runs = Array.from({ length: lives }, (_, number) => live(`life ${number}`, keys))
    const build = await rolldown({ input: 'game-server/core/replay.ts', platform: 'browser' })
    const { output } = await build.generate({ format: 'iife', name: 'dungeon' })
    const page = await browser.newPage()
    await page.addScriptTag({ content: output[0].code })
    const hashes: unknown = await page.evaluate(
      `((runs) => runs.map(({ seed, commands, rules }) => dungeon.replay(seed, commands, rules).hash))(${JSON.stringify(runs)})`,
    )
    await page.close()
    expect(hashes).toEqual(runs.map(({ hash }) => hash))
  })
})

describe('the front page', () => {
  it('shows a walk through a generated dungeon, and does not move for readers who want no motion', async () => {
    const picture =
      'crypto.subtle.digest("SHA-1", new TextEncoder().encode(document.querySelector("[data-front] canvas").toDataURL())).then((hash) => [...new Uint8Array(hash)].join())'
    const moving = await browser.newPage()
    await moving.goto(pages.url)
    await moving.locator('[data-front]').waitFor()
    const before = await moving.evaluate(picture)
    await expect.poll(() => moving.evaluate(picture)).not.toBe(before)
    await moving.close()

    const still = await browser.newPage({ reducedMotion: 'reduce' })
    await still.goto(pages.url)
    await still.locator('[data-front]').waitFor()
    await still.evaluate('document.fonts.ready')
    await still.waitForTimeout(200)
    const first = await still.evaluate(picture)
    await still.waitForTimeout(400)
    expect(await still.evaluate(picture)).toBe(first)
    await still.close()
  })
})
