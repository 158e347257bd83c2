import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { fetchPackages } from './fetch-packages.ts'

const mcpc = '@apify/mcpc/bin/mcpc'
const { privateKey } = sandboxAccounts.buyer
const resultSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  isError: z.boolean().default(false),
})
export type Bought = z.output<typeof resultSchema>
type Buy = (url: string, name: string, given: Record<string, unknown>) => Promise<Bought>

/** Fetches wallets that speak MCP, as their makers publish them. `@x402/mcp` is not in every registry. */
export function fetchWallets() {
  const packages = fetchPackages('mcp-wallets', mcpc, ['--legacy-peer-deps'])

  /** Cloudflare's: it takes the place of the client's own `callTool`, whose first argument then is who confirms. */
  const buyWithAgents: Buy = async (url, name, given) => {
    const client = new Client({ name: 'agents', version: '0.32.0' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    const library: unknown = await import(pathToFileURL(join(packages, 'agents/dist/mcp/client/x402.js')).href)
    const { withX402Client } = z
      .object({ withX402Client: z.function({ input: [z.unknown(), z.unknown()], output: paying }) })
      .parse(library)
    const wallet = withX402Client(client, { network: 'base', account: privateKeyToAccount(privateKey) })
    const result = resultSchema.parse(await wallet.callTool(null, { name, arguments: given }))
    await client.close()
    return result
  }

  /** Apify's program, as it is started from a shell. */
  const buyWithMcpc: Buy = async (url, name, given) => {
    const home = mkdtempSync(join(tmpdir(), 'mcpc-'))
    const env = { ...process.env, MCPC_HOME_DIR: home, NO_COLOR: '1' }
    const run = async (...args: string[]) =>
      (await promisify(execFile)(process.execPath, [join(packages, mcpc), ...args, '--json'], { env })).stdout
    try {
      await run('x402', 'import', privateKey)
      await run('connect', url, '@shop', '--x402')
      return resultSchema.parse(JSON.parse(await run('@shop', 'tools-call', name, JSON.stringify(given))))
    } finally {
      await run('close', '@shop').catch(() => undefined)
      rmSync(home, { recursive: true, force: true })
    }
  }
  return { buyWithAgents, buyWithMcpc }
}

const paying = z.object({ callTool: z.function({ input: [z.null(), z.unknown()], output: z.promise(z.unknown()) }) })
