import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { z } from 'zod'
import { network } from '../../src/core/chain-constants.ts'
import { connect, type OpenClient, readProduct, toHttpClient } from './buying-clients.ts'
import { fetchPackages } from './fetch-packages.ts'
import { maxPaymentValue, resultSchema } from './mcp-wallets.ts'

/** Third-party clients as published, to be fetched and opened. `@x402/mcp` is not in every registry. */
export const fetchedClients: readonly (readonly [name: string, open: OpenClient])[] = [
  ['@x402/axios 2.11', toHttpClient((privateKey) => payWithAxios(privateKey))],
  ['@faremeter/fetch 0.22', toHttpClient((privateKey) => payWithFaremeter(privateKey))],
  ['mppx 0.11', toHttpClient((privateKey) => payWithMppx(privateKey))],
  ['agents 0.32.0 of Cloudflare', openAgents],
  ['@apify/mcpc 0.2.6', openMcpc],
]

const anything = z.function({ input: z.tuple([]).rest(z.unknown()), output: z.unknown() })
const paying = z.custom<typeof fetch>((value) => typeof value === 'function')

const httpFolder = () => fetchPackages('http-wallets', 'mppx/package.json', ['--legacy-peer-deps'])
const mcpFolder = () => fetchPackages('mcp-wallets', '@apify/mcpc/bin/mcpc', ['--legacy-peer-deps'])
const load = async <Schema extends z.ZodType>(folder: string, file: string, schema: Schema) =>
  schema.parse(await import(pathToFileURL(join(folder, file)).href))

/** axios with the payment interceptor, wrapped as a fetch. */
const payWithAxios =
  (privateKey: Hex): typeof fetch =>
  async (input, init) => {
    const at = httpFolder()
    const core = await load(
      at,
      '@x402/axios/dist/esm/index.mjs',
      z.object({ wrapAxiosWithPaymentFromConfig: anything }),
    )
    const { ExactEvmScheme } = await load(
      at,
      '@x402/evm/dist/esm/exact/client/index.mjs',
      z.object({ ExactEvmScheme: z.custom<new (account: unknown) => object>((value) => typeof value === 'function') }),
    )
    const { create } = await load(at, 'axios/index.js', z.object({ create: anything }))
    const schemes = [{ network, client: new ExactEvmScheme(privateKeyToAccount(privateKey)) }]
    const instance = z
      .custom<{ request: (config: object) => Promise<unknown> }>((value) => typeof value === 'function')
      .parse(core.wrapAxiosWithPaymentFromConfig(create(), { schemes }))
    const answer = await instance.request({
      url: String(input),
      method: init?.method ?? 'GET',
      headers: init?.headers,
      data: init?.body,
      responseType: 'arraybuffer',
    })
    const { status, data } = z.object({ status: z.number(), data: z.instanceof(Buffer) }).parse(answer)
    return new Response(new Uint8Array(data), { status })
  }

const payWithFaremeter =
  (privateKey: Hex): typeof fetch =>
  async (input, init) => {
    const at = httpFolder()
    const { createLocalWallet } = await load(
      at,
      '@faremeter/wallet-evm/dist/src/index.js',
      z.object({ createLocalWallet: anything }),
    )
    const { createPaymentHandler } = await load(
      at,
      '@faremeter/payment-evm/dist/src/exact/index.js',
      z.object({ createPaymentHandler: anything }),
    )
    const { wrap } = await load(at, '@faremeter/fetch/dist/src/index.js', z.object({ wrap: anything }))
    const handlers = [createPaymentHandler(await createLocalWallet(base, privateKey))]
    return paying.parse(wrap(fetch, { handlers }))(input, init)
  }

/** It also speaks its own protocol (MPP), which the shop does not. It pays by x402 over HTTP, but not over MCP. */
const payWithMppx =
  (privateKey: Hex): typeof fetch =>
  async (input, init) => {
    const { Mppx, evm } = await load(
      httpFolder(),
      'mppx/dist/client/index.js',
      z.object({ Mppx: z.object({ create: anything }), evm: anything }),
    )
    const methods = [evm({ account: privateKeyToAccount(privateKey) })]
    const wallet = z.object({ fetch: paying }).parse(Mppx.create({ polyfill: false, methods }))
    return wallet.fetch(input, init)
  }

/** Cloudflare's client replaces `callTool` of the MCP client, with a confirmation callback as the first argument. */
async function openAgents(privateKey: Hex, shopUrl: string) {
  const client = await connect(shopUrl)
  const { withX402Client } = await load(
    mcpFolder(),
    'agents/dist/mcp/client/x402.js',
    z.object({ withX402Client: anything }),
  )
  const account = privateKeyToAccount(privateKey)
  const wallet = z
    .object({ callTool: z.function({ input: [z.null(), z.unknown()], output: z.promise(z.unknown()) }) })
    .parse(withX402Client(client, { network: 'base', account, maxPaymentValue }))
  return {
    get: async ({ tool, given }: Parameters<Awaited<ReturnType<OpenClient>>['get']>[0]) =>
      readProduct(client, resultSchema.parse(await wallet.callTool(null, { name: tool, arguments: given }))),
    close: () => client.close(),
  }
}

/** Apify's program, started from a shell. A product too large for a message is read with another client. */
async function openMcpc(privateKey: Hex, shopUrl: string) {
  const home = mkdtempSync(join(tmpdir(), 'mcpc-'))
  const env = { ...process.env, MCPC_HOME_DIR: home, NO_COLOR: '1' }
  const mcpc = join(mcpFolder(), '@apify/mcpc/bin/mcpc')
  const run = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, [mcpc, ...args, '--json'], { env, maxBuffer: 64 * 1024 * 1024 }))
      .stdout
  await run('x402', 'import', privateKey)
  const reader = await connect(shopUrl)
  return {
    /** In a new session, because within one it repeats the signature of the previous call. */
    async get({ tool, given }: Parameters<Awaited<ReturnType<OpenClient>>['get']>[0]) {
      const connectOnce = () => run('connect', `${shopUrl}/api/mcp`, '@shop', '--x402')
      // It allows itself a few seconds to start, too few beside other tests. Nothing has been paid yet.
      await connectOnce().catch(connectOnce)
      try {
        const printed = await run('@shop', 'tools-call', tool, JSON.stringify(given))
        return await readProduct(reader, resultSchema.parse(JSON.parse(printed)))
      } finally {
        await run('close', '@shop').catch(() => undefined)
      }
    },
    async close() {
      await reader.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
