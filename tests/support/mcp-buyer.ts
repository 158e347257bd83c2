import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { x402Client } from '@x402/core/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { network } from '../../src/core/chain-constants.ts'
import { testBaseUrl } from './running-site.ts'

/** `legacy`: the protocol revisions of 2025; `modern`: that of 2026. */
export type Era = 'legacy' | 'modern'

const modes: Record<Era, NonNullable<ClientOptions['versionNegotiation']>> = {
  legacy: { mode: 'legacy' },
  modern: { mode: { pin: '2026-07-28' } },
}

const requiredSchema = z.object({
  x402Version: z.literal(2),
  resource: z.object({ url: z.string() }),
  accepts: z.array(
    z.object({
      scheme: z.string(),
      network: z.templateLiteral([z.string(), ':', z.string()]),
      asset: z.string(),
      amount: z.string(),
      payTo: z.string(),
      maxTimeoutSeconds: z.number(),
      extra: z.record(z.string(), z.unknown()),
    }),
  ),
  extensions: z.record(z.string(), z.unknown()),
})
const answerSchema = z.object({
  content: z.array(z.looseObject({ type: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().default(false),
  _meta: z.record(z.string(), z.unknown()).default({}),
})

export type McpAnswer = z.output<typeof answerSchema>

export type McpBuyer = Awaited<ReturnType<typeof connectBuyer>>

/** The stock MCP client and the stock x402 client, which know nothing of each other. */
export async function connectBuyer(
  fetch: typeof globalThis.fetch,
  era: Era = 'modern',
  { path = '/api/mcp', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
) {
  const client = new Client({ name: 'a-buyer', version: '1.0.0' }, { versionNegotiation: modes[era] })
  const wallet = new x402Client()
    .register(network, new ExactEvmScheme(privateKeyToAccount(sandboxAccounts.buyer.privateKey)))
    .setSpendControls(false)
  await client.connect(
    new StreamableHTTPClientTransport(new URL(path, testBaseUrl), { fetch, requestInit: { headers } }),
  )

  const call = async (name: string, args: Record<string, unknown> = {}, payment?: unknown): Promise<McpAnswer> =>
    answerSchema.parse(
      await client.callTool({
        name,
        arguments: args,
        ...(payment !== undefined && { _meta: { 'x402/payment': payment } }),
      }),
    )
  /** Signs the terms of an unpaid call. */
  const sign = ({ structuredContent }: McpAnswer) =>
    wallet.createPaymentPayload(requiredSchema.parse(structuredContent))
  return {
    client,
    call,
    sign,
    async buy(name: string, args: Record<string, unknown> = {}) {
      const payment = await sign(await call(name, args))
      return { payment, bought: await call(name, args, payment) }
    },
    close: () => client.close(),
  }
}

/** The text of the first part of a result. */
export const textOf = ({ content }: McpAnswer): string => z.object({ text: z.string() }).parse(content[0]).text
