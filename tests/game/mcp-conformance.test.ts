import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { figure } from '../support/figures.ts'
import {
  fetchMcpChecks,
  findUnexplained,
  inspect,
  namesOfPassed,
  reasonsAnywhere,
  runConformance,
} from '../support/mcp-checks.ts'
import { type McpGame, startMcpGame } from '../support/mcp-game.ts'

/** The test suites are fetched from the npm registry (150 MB). */
const isDeep = figure(0, 1) === 1

let gameHost: McpGame
beforeAll(async () => {
  if (!isDeep) return
  fetchMcpChecks()
  gameHost = await startMcpGame()
})
afterAll(() => gameHost?.stop())

/** Why some checks of the suites cannot pass here. All others must pass. */
const reasons = [
  ...reasonsAnywhere,
  { why: 'the game has no prompts, resources, completion or log to ask for', failure: /Method not found/ },
]

describe.runIf(isDeep)('the tools over HTTP', () => {
  it.each([
    [
      '2025',
      [],
      ['server-initialize', 'ping', 'tools-list', 'server-sse-multiple-streams', 'dns-rebinding-protection'],
    ],
    ['2026', ['--requirements', '2025-11-25'], ['server-initialize', 'ping', 'tools-list', 'server-session-lifecycle']],
    ['2026', ['--requirements', '2026-07-28'], ['tools-list', 'http-header-validation', 'dns-rebinding-protection']],
  ] as const)('pass what applies to them in the conformance suite of %s with %j', async (suite, options, expected) => {
    const scenarios = await runConformance(suite, [...options], `${gameHost.gameUrl}/mcp`)
    expect(findUnexplained(scenarios, reasons)).toEqual([])
    expect(namesOfPassed(scenarios)).toEqual(expect.arrayContaining([...expected]))
  })

  it('are listed and called by the inspector', async () => {
    const url = `${gameHost.gameUrl}/mcp`
    const { tools } = z
      .object({ tools: z.array(z.object({ name: z.string() })) })
      .parse(await inspect(url, '--method', 'tools/list'))
    expect(tools.map(({ name }) => name)).toEqual(['dungeon_join', 'dungeon_look', 'dungeon_action'])
    const join = ['--method', 'tools/call', '--tool-name', 'dungeon_join', '--tool-arg', 'name=Inspector']
    expect(await inspect(url, ...join)).toMatchObject({ structuredContent: { name: 'Inspector', turn: 0 } })
  })
})
