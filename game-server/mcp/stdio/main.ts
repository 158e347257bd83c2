// What `cursor_config` starts: Undercroft as MCP tools over stdio. Reads DUNGEON_WS_URL and DUNGEON_HTTP_URL.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'
import { type Character, type Characters, rememberCharacters } from '../characters.ts'
import { makeToolServer } from '../tools.ts'
import { openDungeon } from './open-dungeon.ts'

const fileSchema = z.record(z.string(), z.object({ name: z.string(), token: z.string() }))

/**
 * Characters that outlive the process, in a file of the user's own: the same name comes back to the same life. Where none
 * can be kept, as on a full disk, people play all the same: the answer to a join holds the token, too.
 */
function keepCharacters(file: string): Characters {
  const inProcess = rememberCharacters(undefined)
  return {
    current: inProcess.current,
    hasPlayed: inProcess.hasPlayed,
    notePlay: inProcess.notePlay,
    find: (name) => inProcess.find(name) ?? new Map(Object.entries(readAll(file))).get(name.toLowerCase()),
    keep(requested, character) {
      inProcess.keep(requested, character)
      const all = { ...readAll(file), [requested.toLowerCase()]: character, [character.name.toLowerCase()]: character }
      try {
        writeAll(file, all)
      } catch (error) {
        console.error(
          `dungeon-mcp: the token of ${character.name} could not be saved, so this character is lost when the program ends: ${String(error)}`,
        )
      }
    },
  }
}

/** Whole or not at all, even when two programs of the same user write at once. */
function writeAll(file: string, all: Readonly<Record<string, Character>>): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const fresh = `${file}.${process.pid}`
  try {
    writeFileSync(fresh, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
    renameSync(fresh, file)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

/** A file that is missing or broken keeps nobody, which costs a name and not the game. */
function readAll(file: string): Record<string, Character> {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return {}
  }
}

const { DUNGEON_WS_URL: wsUrl, DUNGEON_HTTP_URL: gameUrl, XDG_CONFIG_HOME: configHome } = process.env
if (!wsUrl || !gameUrl) {
  console.error('dungeon-mcp: set DUNGEON_WS_URL and DUNGEON_HTTP_URL; GET /api/mcp of the game host shows both')
  process.exit(1)
}
const file = `${new URL(gameUrl).host.replaceAll(':', '_')}.json`
const characters = keepCharacters(join(configHome || join(homedir(), '.config'), 'undercroft', file))
const dungeon = openDungeon({ wsUrl, gameUrl })
serveStdio(() => makeToolServer({ dungeon, characters, listsSession: false, gameUrl }))
// An open socket would keep a program alive that nobody talks to any more.
process.stdin.on('close', () => process.exit(0))
