import type { Client } from '@modelcontextprotocol/client'
import { x402Client } from '@x402/core/client'
import { isPaymentRequired } from '@x402/core/schemas'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { network } from '../../src/core/chain-constants.ts'

/** What a wallet does with a call, as its source has it. */
export type BuyAs = (
  client: Client,
  call: { name: string; arguments: Record<string, unknown> },
) => Promise<z.output<typeof resultSchema>>

const resultSchema = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().default(false),
  _meta: z.record(z.string(), z.unknown()).default({}),
})
const account = privateKeyToAccount(sandboxAccounts.buyer.privateKey)
const makeWallet = () => new x402Client().register(network, new ExactEvmScheme(account)).setSpendControls(false)
const ask = async (client: Client, call: object) =>
  resultSchema.parse(await client.callTool(z.looseObject({ name: z.string() }).parse(call)))

/** `@x402/mcp` 2.10 (x402-foundation/x402, client/x402MCPClient.ts): the structure, or else the first text, as an object. */
const buyAsX402Mcp: BuyAs = async (client, call) => {
  const result = await ask(client, call)
  const [first] = result.content
  const required = [result.structuredContent, JSON.parse(first?.text ?? 'null')].find((one) => isPaymentRequired(one))
  if (!result.isError || !isPaymentRequired(required)) return result
  // It signs version 2 with this client.
  const payload = await makeWallet().createPaymentPayload(v2.parse(required))
  return ask(client, { ...call, _meta: { 'x402/payment': payload } })
}
const v2 = z.custom<Parameters<x402Client['createPaymentPayload']>[0]>((value) => isPaymentRequired(value))

/** `agents` 0.32.0 (Cloudflare, mcp/client/x402.ts): what is in `_meta`, up to $0.10, and the payment as text. */
const buyAsAgents: BuyAs = async (client, call) => {
  const result = await ask(client, call)
  const read = agentsTerms.safeParse(result._meta['x402/error'])
  if (!result.isError || !read.success) return result
  const { x402Version, resource, accepts, extensions } = read.data
  if (accepts.some(({ amount }) => BigInt(amount) > 100_000n)) return result
  const payload = await makeWallet().createPaymentPayload(v2.parse({ x402Version, resource, accepts, extensions }))
  return ask(client, { ...call, _meta: { 'x402/payment': btoa(JSON.stringify(payload)) } })
}
const agentsTerms = z.looseObject({
  x402Version: z.number(),
  resource: z.unknown(),
  accepts: z.array(z.looseObject({ amount: z.string() })).min(1),
  extensions: z.unknown(),
})

const mcpcTerms = z.looseObject({
  scheme: z.literal('exact'),
  network: z.literal(network),
  amount: z.string(),
  asset: z.templateLiteral(['0x', z.string()]),
  payTo: z.templateLiteral(['0x', z.string()]),
  maxTimeoutSeconds: z.number(),
  extra: z.object({ name: z.string(), version: z.string() }),
})
type McpcTerms = z.output<typeof mcpcTerms>
const mcpcTool = z.looseObject({
  _meta: z.looseObject({ x402: z.looseObject({ paymentRequired: z.literal(true) }).and(mcpcTerms) }),
})
const mcpcRefusal = z.looseObject({ x402Version: z.number(), accepts: z.tuple([mcpcTerms]) })

/** `@apify/mcpc` 0.2.6 (lib/x402/signer.ts): a payload that echoes no extension. */
async function signAsMcpc({ asset, payTo, amount, maxTimeoutSeconds, extra, scheme }: McpcTerms) {
  const nonce = `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex')}` as const
  const validBefore = BigInt(Math.floor(Date.now() / 1000) + maxTimeoutSeconds)
  const words = { from: account.address, to: payTo, nonce }
  const signature = await account.signTypedData({
    domain: { ...extra, chainId: 8453, verifyingContract: asset },
    types: {
      TransferWithAuthorization: [
        { name: 'from', type: 'address' },
        { name: 'to', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'validAfter', type: 'uint256' },
        { name: 'validBefore', type: 'uint256' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'TransferWithAuthorization',
    message: { ...words, value: BigInt(amount), validAfter: 0n, validBefore },
  })
  return {
    x402Version: 2,
    resource: { url: 'https://mcp.apify.com/mcp', description: 'MCP Server', mimeType: 'application/json' },
    payload: {
      signature,
      authorization: { ...words, value: amount, validAfter: '0', validBefore: validBefore.toString() },
    },
    accepted: { scheme, network, asset, amount, payTo, maxTimeoutSeconds, extra },
  }
}

/** The same (lib/x402/fetch-middleware.ts, bridge): it pays with the first call what the list says, and once more if refused. */
const buyAsMcpc: BuyAs = async (client, call) => {
  const { tools } = await client.listTools()
  const listed = mcpcTool.safeParse(tools.find(({ name }) => name === call.name))
  const pay = async (terms: McpcTerms) => ask(client, { ...call, _meta: { 'x402/payment': await signAsMcpc(terms) } })
  const first = listed.success ? await pay(listed.data._meta.x402) : await ask(client, call)
  const refused = mcpcRefusal.safeParse(first.structuredContent)
  return first.isError && refused.success ? pay(refused.data.accepts[0]) : first
}

/** Wallets that speak MCP, as nobody here wrote them. */
export const mcpWallets: readonly (readonly [name: string, buy: BuyAs])[] = [
  ['@x402/mcp 2.10', buyAsX402Mcp],
  ['agents 0.32.0 of Cloudflare', buyAsAgents],
  ['@apify/mcpc 0.2.6', buyAsMcpc],
]
