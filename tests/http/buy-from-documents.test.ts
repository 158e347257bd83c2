import { execFile } from 'node:child_process'
import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { clientPackages, identifierRule, installLine, retryRule } from '../../src/core/buying-rules.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'

/** How many tokens of our documents a model may have to read before its first purchase. */
const mostTokens = 8000

let money: RunningMoney
let site: RunningSite
beforeAll(async () => {
  money = await startMoney()
  site = await startSite(money)
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  await money?.stop()
})

let tokens = 0
/** Reads a document, and counts all of its tokens, as a model would read them. */
async function read(address: string): Promise<string> {
  const answer = await site.fetch(address)
  expect([address, answer.status]).toEqual([address, 200])
  const text = await answer.text()
  tokens += countTokens(text)
  return text
}

/** Runs a program from a document, in a folder with its packages and with the site's name leading to the site. */
function run(program: string): Promise<{ stdout: string; stderr: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-reader-'))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const dns = `const direct = fetch\nglobalThis.fetch = (input, init) => input instanceof Request
  ? direct(new Request(input.url.replace('${testBaseUrl}', 'http://127.0.0.1:${site.port}'), input), init)
  : direct(String(input).replace('${testBaseUrl}', 'http://127.0.0.1:${site.port}'), init)\n`
  writeFileSync(join(folder, 'dns.mjs'), dns)
  writeFileSync(
    join(folder, 'program.mjs'),
    `${program}\nconsole.log(response.headers.get('content-type'), product.byteLength)\n`,
  )
  const env = { PATH: process.env['PATH'] ?? '', BUYER_KEY: sandboxAccounts.buyer.privateKey }
  return new Promise((resolve) => {
    execFile(process.execPath, ['--import', './dns.mjs', 'program.mjs'], { cwd: folder, env }, (_, stdout, stderr) =>
      resolve({ stdout, stderr }),
    )
  })
}

it(`a program that knows only the address buys a narration with what ${mostTokens} tokens of our documents say`, async () => {
  const index = await read('/llms.txt')
  const [, page = ''] = /^- \[Read a text aloud\]\((\S+)\)/m.exec(index) ?? []
  const [, agents = ''] = /^- \[For agents\]\((\S+)\)/m.exec(index) ?? []
  expect([page, agents].every((address) => address.startsWith(testBaseUrl))).toBe(true)
  const narrate = await read(page)
  expect(await read(agents)).toContain(retryRule)
  for (const text of [index, narrate]) expect(text).toContain(`${retryRule} ${identifierRule}`)
  expect(tokens).toBeLessThan(mostTokens)

  const [, program = ''] = /```js\n([\s\S]*?)\n```/.exec(narrate) ?? []
  expect(program).toContain(installLine)
  const imported = [...program.matchAll(/from '((?:@\w+\/)?\w+)/g)].map(([, name]) => name)
  expect(new Set(imported)).toEqual(new Set(clientPackages))
  const before = await money.transfersTo()
  const { stdout, stderr } = await run(program)
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^audio\/mpeg \d{4,}\n$/)
  const moved = (await money.transfersTo()).slice(before.length)
  expect(moved.map(({ value }) => value)).toEqual([50_000n])
})

it('every page of a product says how to buy it with one file, at the real address, and how it survives a lost response', async () => {
  const { skills, hostedApis, content } = await (await site.fetch('/api/catalog.json')).json()
  for (const { previewUrl, buyUrl } of [...skills, ...hostedApis, ...content]) {
    const page = await (await site.fetch(previewUrl, { headers: { accept: 'text/html' } })).text()
    const shown = page.replaceAll('&quot;', '"').replaceAll('&#34;', '"').replace(/\s+/g, ' ')
    for (const wanted of [
      retryRule,
      identifierRule,
      installLine,
      `curl -fsSLO ${testBaseUrl}/buy.mjs node buy.mjs ${buyUrl}`,
    ])
      expect([previewUrl, shown.includes(wanted)]).toEqual([previewUrl, true])
  }
  const agents = await (await site.fetch('/agents', { headers: { accept: 'text/html' } })).text()
  expect(agents).not.toContain('shop.example')
  expect(agents).toContain(`${testBaseUrl}/buy.mjs`)
})

it('a client of x402 version 1 is refused with that reason, and not charged', async () => {
  const answer = await site.fetch('/skills/x402-buyer/raw', { headers: { 'X-PAYMENT': 'eyJ4NDAyVmVyc2lvbiI6MX0=' } })
  expect([answer.status, await answer.json()]).toEqual([
    402,
    expect.objectContaining({
      error: 'invalid_x402_version',
      charged: false,
      detail: expect.stringContaining(installLine),
    }),
  ])
})
