import type { Client } from '@modelcontextprotocol/client'
import { x402Client } from '@x402/core/client'
import { isPaymentRequired } from '@x402/core/schemas'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import type { PrivateKeyAccount } from 'viem'
import { z } from 'zod'
import { network } from '../../src/core/chain-constants.ts'
import { signTerms, type Terms, termsSchema } from './sign-terms.ts'

/** How a wallet handles a call, as in its source code. */
export type BuyAs = (
  client: Client,
  call: { name: string; arguments: Readonly<Record<string, unknown>> },
) => Promise<McpResult>
type McpWallet = (account: PrivateKeyAccount) => BuyAs

export const resultSchema = z.looseObject({
  content: z.array(
    z.looseObject({
      type: z.string(),
      text: z.string().optional(),
      data: z.string().optional(),
      uri: z.string().optional(),
    }),
  ),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false),
  _meta: z.record(z.string(), z.unknown()).default({}),
})
/** The result of a tool. */
export type McpResult = z.output<typeof resultSchema>

const makeWallet = (account: PrivateKeyAccount) =>
  new x402Client().register(network, new ExactEvmScheme(account)).setSpendControls(false)
const ask = async (client: Client, call: object) =>
  resultSchema.parse(await client.callTool(z.looseObject({ name: z.string() }).parse(call)))

/** `@x402/mcp` 2.10 (x402-foundation/x402, client/x402MCPClient.ts): terms are the structure, else the first text. */
const buyAsX402Mcp: McpWallet = (account) => async (client, call) => {
  const result = await ask(client, call)
  const [first] = result.content
  const required = [result.structuredContent, readJson(first?.text)].find((one) => isPaymentRequired(one))
  if (!result.isError || !isPaymentRequired(required)) return result
  // It signs version 2 with this client.
  const payload = await makeWallet(account).createPaymentPayload(v2.parse(required))
  return ask(client, { ...call, _meta: { 'x402/payment': payload } })
}
/** Text that is not JSON has no terms, as in the source. */
function readJson(text = ''): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
const v2 = z.custom<Parameters<x402Client['createPaymentPayload']>[0]>((value) => isPaymentRequired(value))

/** `agents` 0.32.0 (Cloudflare, mcp/client/x402.ts): reads `_meta`, pays up to `maxPaymentValue`, and sends text. */
const buyAsAgents: McpWallet = (account) => async (client, call) => {
  const result = await ask(client, call)
  const read = agentsTerms.safeParse(result._meta['x402/error'])
  if (!result.isError || !read.success) return result
  const { x402Version, resource, accepts, extensions } = read.data
  if (accepts.some(({ amount }) => BigInt(amount) > maxPaymentValue)) return result
  const payload = await makeWallet(account).createPaymentPayload(
    v2.parse({ x402Version, resource, accepts, extensions }),
  )
  return ask(client, { ...call, _meta: { 'x402/payment': btoa(JSON.stringify(payload)) } })
}
/** Its default is 100,000 ($0.10), and the bundle and the export cost more. */
export const maxPaymentValue = 1_000_000n
const agentsTerms = z.looseObject({
  x402Version: z.number(),
  resource: z.unknown(),
  accepts: z.array(z.looseObject({ amount: z.string() })).min(1),
  extensions: z.unknown(),
})

const mcpcTool = z.looseObject({
  _meta: z.looseObject({ x402: z.looseObject({ paymentRequired: z.literal(true) }).and(termsSchema) }),
})
const mcpcRefusal = z.looseObject({ x402Version: z.number(), accepts: z.tuple([termsSchema]) })

/** `@apify/mcpc` 0.2.6 (lib/x402/signer.ts): a payload without the echoed extensions. */
async function signAsMcpc(account: PrivateKeyAccount, terms: Terms) {
  const { scheme, network, asset, amount, payTo, maxTimeoutSeconds, extra } = terms
  return {
    x402Version: 2,
    resource: { url: 'https://mcp.apify.com/mcp', description: 'MCP Server', mimeType: 'application/json' },
    payload: await signTerms(account, terms),
    accepted: { scheme, network, asset, amount, payTo, maxTimeoutSeconds, extra },
  }
}

/** The same (lib/x402/fetch-middleware.ts, bridge): pays with the first call as the list says, and again if refused. */
const buyAsMcpc: McpWallet = (account) => async (client, call) => {
  const { tools } = await client.listTools()
  const listed = mcpcTool.safeParse(tools.find(({ name }) => name === call.name))
  const pay = async (terms: Terms) =>
    ask(client, { ...call, _meta: { 'x402/payment': await signAsMcpc(account, terms) } })
  const first = listed.success ? await pay(listed.data._meta.x402) : await ask(client, call)
  const refused = mcpcRefusal.safeParse(first.structuredContent)
  return first.isError && refused.success ? pay(refused.data.accepts[0]) : first
}

/** Third-party wallets that speak MCP. */
export const mcpWallets: readonly (readonly [name: string, wallet: McpWallet])[] = [
  ['@x402/mcp 2.10, replayed', buyAsX402Mcp],
  ['agents 0.32.0 of Cloudflare, replayed', buyAsAgents],
  ['@apify/mcpc 0.2.6, replayed', buyAsMcpc],
]
