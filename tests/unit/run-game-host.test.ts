import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runGameHost } from '../../src/commands/run-game-host.ts'
import { readConfig } from '../../src/config/config.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'

const node = process.execPath
let buildFolder: string
const said: string[] = []
const running: ReturnType<typeof runGameHost>[] = []

beforeEach(() => {
  buildFolder = mkdtempSync(join(tmpdir(), 'game-host-'))
  said.length = 0
})
afterEach(async () => {
  process.execPath = node
  for (const game of running.splice(0)) {
    game.stop()
    await game.ended()
  }
  rmSync(buildFolder, { recursive: true })
})

const start = (program: string) => {
  const { programs } = buildFiles(buildFolder)
  mkdirSync(programs, { recursive: true })
  writeFileSync(join(programs, 'game-host.mjs'), program)
  const game = runGameHost({ config: readConfig({}), buildFolder, env: {}, say: (line) => said.push(line) })
  running.push(game)
  return game
}

const endsSoon = "console.log('listening 1'); setTimeout(() => {}, 100)"
const stays = "console.log('listening 1'); setInterval(() => {}, 1000)"

describe('the game host', () => {
  it('is started again after it ended by itself', async () => {
    await start(endsSoon).ready
    await expect.poll(() => said.length).toBeGreaterThan(1)
    expect(said[0]).toBe('the game host ended (it ended with 0); starting it again in 0.5 s')
  })

  // The first path leads to an `error` event without an `exit` event, the second makes `spawn` throw.
  it.each(['/nowhere/node', '/dev/null/node'])('is started again after the system could not start %s', async (path) => {
    await start(endsSoon).ready
    process.execPath = path
    await expect.poll(() => said.at(-1)).toContain('spawn')
    process.execPath = node
    const attempts = said.length
    await expect.poll(() => said.slice(attempts).join()).toContain('it ended with 0')
  })

  it('says why it does not start the first time, and is not started again', async () => {
    await expect(start("console.error('the port is taken'); process.exit(1)").ready).rejects.toThrow(
      'the game host does not start: the port is taken',
    )
    process.execPath = '/nowhere/node'
    await expect(start(stays).ready).rejects.toThrow('the game host does not start: spawn /nowhere/node ENOENT')
    await Promise.all(running.map((game) => game.ended()))
    expect(said).toEqual([])
  })

  it('ends when it is stopped, also while it waits for its next start', async () => {
    const game = start(stays)
    await game.ready
    game.stop()
    await game.ended()
    const waiting = start(endsSoon)
    await waiting.ready
    await expect.poll(() => said.length).toBe(1)
    waiting.stop()
    await waiting.ended()
    expect(said).toHaveLength(1)
  })
})
