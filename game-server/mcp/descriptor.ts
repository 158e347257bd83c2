import { bundleFile } from './bundle-file.ts'
import { toolServerIdentity } from './tool-server-identity.ts'

/** The configured URLs of the game; neither ends in a slash. */
export interface GameAddresses {
  readonly gameUrl: string
  readonly wsUrl: string
}

/** The documents where programs begin. They differ in `name` and `start_here`. */
export type EntryPoint = 'dungeon' | 'agent' | 'skill'

/** The two messages that are enough to play over a WebSocket. */
const quickWs = [
  { type: 'join', name: 'MyAgent', kind: 'agent' },
  { type: 'input', key: 'o' },
]

/** The body of `GET /api/mcp`, `/api/agent` and `/api/skill`: how a program starts to play. */
export function toDescriptor(entryPoint: EntryPoint, { gameUrl, wsUrl }: GameAddresses) {
  const byTools = [
    'add cursor_config to your MCP client',
    'dungeon_join {name}',
    'dungeon_look',
    'dungeon_action {key} until you die or win',
  ]
  const steps: Record<EntryPoint, readonly string[]> = {
    dungeon: [`GET ${gameUrl}/api/mcp`, ...byTools],
    agent: [
      `GET ${gameUrl}/agents.md`,
      `open ${wsUrl}`,
      `send ${JSON.stringify(quickWs[0])}`,
      `send ${JSON.stringify(quickWs[1])}, then any key from the last KEYS line, until you die or win`,
      'or play through MCP: add cursor_config to your client and call dungeon_join {name}',
    ],
    skill: [`GET ${gameUrl}/skill and keep it as undercroft/SKILL.md among your skills`, ...byTools],
  }
  return {
    name: entryPoint,
    title: toolServerIdentity.title,
    description: toolServerIdentity.description,
    gate: false,
    free_to_play: true,
    pay_to_win: false,
    start_here: steps[entryPoint],
    links: {
      skill_md: `${gameUrl}/skill`,
      mcp: `${gameUrl}/api/mcp`,
      mcp_html: `${gameUrl}/mcp.html`,
      agent: `${gameUrl}/api/agent`,
      agents_md: `${gameUrl}/agents.md`,
      llms: `${gameUrl}/llms.txt`,
      ws: wsUrl,
      play: `${gameUrl}/play.html`,
      store: `${gameUrl}/store.html`,
    },
    cursor_config: {
      mcpServers: {
        dungeon: {
          command: 'npx',
          args: ['-y', `${gameUrl}/${bundleFile}`],
          env: { DUNGEON_WS_URL: wsUrl, DUNGEON_HTTP_URL: gameUrl },
        },
      },
    },
    remote_config: { mcpServers: { dungeon: { type: 'http', url: `${gameUrl}/mcp` } } },
    quick_ws: quickWs,
    tools: [
      { name: 'dungeon_join', input: { name: 'string' } },
      { name: 'dungeon_look', input: {} },
      { name: 'dungeon_action', input: { key: 'string' } },
    ],
    store: { payment: 'x402', catalog: `${gameUrl}/api/store`, unlock: `${gameUrl}/api/store/unlock` },
  }
}
