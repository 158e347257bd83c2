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
import { type RunningSite, startSite } from '../support/running-site.ts'

/** The suites are fetched from the npm registry (150 MB), so that they only run in the deep tests. */
const isDeep = figure(0, 1) === 1

let site: RunningSite
beforeAll(async () => {
  if (!isDeep) return
  fetchMcpChecks()
  // Nothing is bought, so that nothing has to listen at these addresses.
  site = await startSite({ facilitatorUrl: 'http://127.0.0.1:9', rpcUrl: 'http://127.0.0.1:9' })
})
afterAll(() => site?.kill('SIGTERM'))

/** Why a check of the suites cannot pass here. Everything else must. */
const reasons = [
  ...reasonsAnywhere,
  {
    why: 'the site has no prompts and no log, and resources that do not change while it runs',
    failure: /Method not found|Prompt test_\w+ not found/,
  },
  { why: 'the suite reads resources of its own', failure: /Resource not found: test:\/\// },
  {
    why: 'nothing changes while the site runs, so nobody is kept listening for it',
    failure: /notifications\/subscriptions\/acknowledged|stream carried no notification frames/,
  },
]
const urlOf = () => `http://127.0.0.1:${site.port}/api/mcp`

describe.runIf(isDeep)('the tools of the site', () => {
  it.each([
    ['2025', [], ['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection']],
    [
      '2026',
      ['--requirements', '2025-11-25'],
      ['server-initialize', 'ping', 'tools-list', 'resources-list', 'server-session-lifecycle'],
    ],
    [
      '2026',
      ['--requirements', '2026-07-28'],
      ['tools-list', 'resources-list', 'sep-2164-resource-not-found', 'http-header-validation'],
    ],
  ] as const)('pass what applies to them in the conformance suite of %s with %j', async (suite, options, expected) => {
    const scenarios = await runConformance(suite, [...options], urlOf())
    expect(findUnexplained(scenarios, reasons)).toEqual([])
    expect(namesOfPassed(scenarios)).toEqual(expect.arrayContaining([...expected]))
  })

  it('are listed and called by the inspector', async () => {
    const { tools } = z
      .object({ tools: z.array(z.object({ name: z.string() })) })
      .parse(await inspect(urlOf(), '--method', 'tools/list'))
    expect(tools.map(({ name }) => name)).toContain('pack_web_pages')
    const call = ['--method', 'tools/call', '--tool-name', 'list_products', '--tool-arg', 'lane=content']
    expect(await inspect(urlOf(), ...call)).toMatchObject({ structuredContent: { count: 2 } })
  })
})
