import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toDescriptor } from '../../game-server/mcp/descriptor.ts'
import { figure } from '../support/figures.ts'
import { type McpGame, startMcpGame } from '../support/mcp-game.ts'
import { connectPlayer, type Era, playToDeath } from '../support/mcp-player.ts'

const isDeep = figure(0, 1) === 1
let gameHost: McpGame
let folder: string
let program: string
beforeAll(async () => {
  gameHost = await startMcpGame({ hasProgram: true })
  folder = await mkdtemp(join(tmpdir(), 'mcp-stdio-'))
  const archive = await fetch(`${gameHost.gameUrl}/dungeon-mcp-1.0.0.tgz`)
  execFileSync('tar', ['xz', '-C', folder], { input: Buffer.from(await archive.arrayBuffer()) })
  program = join(folder, 'package/dungeon-mcp.mjs')
})
afterAll(async () => {
  await gameHost.stop()
  await rm(folder, { recursive: true })
})

/** A Node.js installed on this machine comes first in the path, because players use that one. */
const usersPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .toSorted((a, b) => Number(a === dirname(process.execPath)) - Number(b === dirname(process.execPath)))
  .join(delimiter)

const homeOf = (user: string): string => join(folder, `home-${user}`)

/** Starts the program as a user of this machine would, with a home directory of their own. */
const start = (user: string, era: Era, { command = 'node', args = [program] } = {}) =>
  connectPlayer(
    new StdioClientTransport({
      command,
      args,
      env: {
        PATH: usersPath,
        HOME: homeOf(user),
        npm_config_update_notifier: 'false',
        DUNGEON_WS_URL: gameHost.wsUrl,
        DUNGEON_HTTP_URL: gameHost.gameUrl,
      },
      stderr: 'ignore',
    }),
    era,
  )

describe.each(['legacy', 'modern'] as const)('the program of cursor_config, to a client of the %s revisions', (era) => {
  it.runIf(isDeep || era === 'legacy')(
    'starts with exactly that command, joins, plays 200 actions, dies and starts again',
    async () => {
      const { command, args } = toDescriptor('dungeon', gameHost).cursor_config.mcpServers.dungeon
      const player = await start(era, era, { command, args })
      expect(await player.fail('dungeon_look', {})).toMatch(/^not_joined: /)
      const { name, session, resumed } = await player.join({ name: `Own-${era}` })
      expect([name, resumed]).toEqual([`Own-${era}`, false])
      expect((await player.look()).you.alive).toBe(true)

      const end = await playToDeath(player, name, 200)
      expect(end.text).toContain(`${gameHost.gameUrl}/death/${end.death.id}`)
      expect((await player.look()).death?.id).toBe(end.death.id)
      expect(await player.fail('dungeon_action', { key: 'o' })).toMatch(/^dead: .*\nNEXT: call dungeon_join$/)

      const again = await player.join({ name })
      expect([again.session, again.resumed, again.turn]).toEqual([session, false, 0])
      await player.close()
    },
  )
})

describe('the program', () => {
  it('stores the token of each name where only its user can read it, and resumes with it', async () => {
    const first = await start('keeper', 'legacy')
    const { name, session, turn } = await first.join({ name: 'Keeper' })
    await first.close()
    const kept = join(homeOf('keeper'), '.config/undercroft')
    const [file = ''] = await readdir(kept)
    expect((await stat(join(kept, file))).mode & 0o777).toBe(0o600)
    expect(JSON.parse(await readFile(join(kept, file), 'utf8'))).toEqual({ keeper: { name, token: session } })

    const later = await start('keeper', 'modern')
    expect(await later.join({ name: 'Keeper' })).toMatchObject({ name, session, resumed: true, turn })
    // A property name that every object inherits is not a stored character.
    expect(await later.join({ name: 'constructor' })).toMatchObject({ name: 'constructor', resumed: false })
    await later.close()
  })

  it('works where it cannot store a token: the answer to a join contains it', async () => {
    await writeFile(homeOf('nobody'), 'no folder')
    const player = await start('nobody', 'legacy')
    const { name, session } = await player.join({ name: 'Homeless' })
    expect([name, session]).toEqual(['Homeless', expect.stringMatching(/^rt_/)])
    expect((await player.look()).you.alive).toBe(true)
    await player.close()
  })

  it('names the settings that it needs', () => {
    const run = () => execFileSync(process.execPath, [program], { env: {}, stdio: ['ignore', 'ignore', 'pipe'] })
    expect(run).toThrow(/set DUNGEON_WS_URL and DUNGEON_HTTP_URL/)
  })
})
