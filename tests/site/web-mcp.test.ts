import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { launchFor } from '../support/site-browser.ts'

let site: RunningSite
let browser: Browser
beforeAll(async () => {
  site = await startSite({ facilitatorUrl: 'http://127.0.0.1:9', rpcUrl: 'http://127.0.0.1:9' })
  browser = await launchFor(site)
})
afterAll(async () => {
  await browser?.close()
  await site?.kill('SIGTERM')
})

/** A minimal navigator.modelContext, which browsers use to offer tools of pages to agents; the tested one has none. */
function addAgent(): void {
  const tools: unknown[] = []
  Reflect.set(window, 'tools', tools)
  Reflect.set(navigator, 'modelContext', { registerTool: (tool: unknown) => tools.push(tool) })
}

/** Calls a tool of the page as an agent would. */
function runTool({ name, input }: { name: string; input: Record<string, string> }): unknown {
  const tools: { name: string; execute: (input: object) => unknown }[] = Reflect.get(window, 'tools')
  return tools.find((tool) => tool.name === name)?.execute(input)
}

const answer = z.object({ content: z.tuple([z.object({ text: z.string() })]) })

it('the front page offers an agent in the browser its search and its skills, without violating the policy of the page', async () => {
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.addInitScript(addAgent)
  await page.goto(testBaseUrl)
  await page.waitForFunction(() => Reflect.get(window, 'tools').length === 2)
  const read = async (name: string, input: Record<string, string>) => {
    const [{ text }] = answer.parse(await page.evaluate(runTool, { name, input })).content
    return JSON.parse(text)
  }
  const found = await read('search_posts', { query: 'payment' })
  expect(found.results.length).toBeGreaterThan(0)
  expect(new Set(found.results.map(({ collection }: { collection: string }) => collection))).toEqual(new Set(['posts']))
  expect((await read('list_skills', {})).count).toBe(8)
  expect(complaints).toEqual([])
  await page.close()
})
