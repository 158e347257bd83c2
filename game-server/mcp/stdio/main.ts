// What `cursor_config` starts: Undercroft as MCP tools over stdio. Reads DUNGEON_WS_URL and DUNGEON_HTTP_URL.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { makeToolServer } from '../tools.ts'
import { keepCharacters } from './keep-characters.ts'
import { openDungeon } from './open-dungeon.ts'

const { DUNGEON_WS_URL: wsUrl, DUNGEON_HTTP_URL: gameUrl, XDG_CONFIG_HOME: configHome } = process.env
if (!wsUrl || !gameUrl) {
  console.error('dungeon-mcp: set DUNGEON_WS_URL and DUNGEON_HTTP_URL, as GET /api/mcp of the game host says')
  process.exit(1)
}
const file = `${new URL(gameUrl).host.replaceAll(':', '_')}.json`
const characters = keepCharacters(join(configHome || join(homedir(), '.config'), 'undercroft', file))
const dungeon = openDungeon({ wsUrl, gameUrl })
serveStdio(() => makeToolServer({ dungeon, characters, listsSession: false, gameUrl }))
// Without this, an open socket would keep the process alive after its client has gone.
process.stdin.on('close', () => process.exit(0))
