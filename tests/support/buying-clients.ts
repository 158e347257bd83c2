import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { type HttpWallet, httpWallets } from './http-wallets.ts'
import { type McpResult, mcpWallets } from './mcp-wallets.ts'

/** One product in the form that each transport needs. */
export interface Order {
  readonly path: string
  /** The body of a POST; a GET without it. */
  readonly input?: Readonly<Record<string, unknown>>
  readonly tool: string
  readonly given: Readonly<Record<string, unknown>>
}

/** A client with a wallet, which gets the bytes of a product by paying or as their owner. */
export interface BuyingClient {
  get(order: Order): Promise<Buffer>
  close(): Promise<void>
}
export type OpenClient = (privateKey: Hex, shopUrl: string) => Promise<BuyingClient>

/** A client that pays over HTTP. */
export const toHttpClient =
  (wallet: HttpWallet): OpenClient =>
  async (privateKey, shopUrl) => {
    const pay = wallet(privateKey)
    return {
      async get({ path, input }) {
        const init: RequestInit = {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(input),
        }
        const answer = await pay(shopUrl + path, input && init)
        if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
        return Buffer.from(await answer.arrayBuffer())
      },
      close: async () => {},
    }
  }

/** The stock MCP client, without a wallet. */
export async function connect(shopUrl: string): Promise<Client> {
  const client = new Client({ name: 'a-wallet', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/api/mcp', shopUrl)))
  return client
}

/** The product in a tool result: in the message itself, or in the resource that the message names. */
export async function readProduct(client: Client, { content, isError }: McpResult): Promise<Buffer> {
  const [first, second] = content
  if (isError || !first) throw new Error(`nothing was delivered: ${first?.text ?? ''}`)
  if (first.data !== undefined) return Buffer.from(first.data, 'base64')
  if (!second?.uri?.startsWith('purchase:')) return Buffer.from(first.text ?? '')
  const { contents } = await client.readResource({ uri: second.uri })
  return Buffer.from(z.object({ text: z.string() }).parse(contents[0]).text)
}

/** The clients of every run: installed ones, and others replayed from their source code. */
export const buyingClients: readonly (readonly [name: string, open: OpenClient])[] = [
  ...httpWallets.map(([name, wallet]) => [name, toHttpClient(wallet)] as const),
  ...mcpWallets.map(([name, wallet]): [string, OpenClient] => [
    name,
    async (privateKey, shopUrl) => {
      const client = await connect(shopUrl)
      const buy = wallet(privateKeyToAccount(privateKey))
      return {
        get: async ({ tool, given }) => readProduct(client, await buy(client, { name: tool, arguments: given })),
        close: () => client.close(),
      }
    },
  ]),
]
