import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { encodeAbiParameters, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { eurc, testUsdc } from '../../src/core/assets.ts'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import { baseSepolia } from '../../src/core/networks.ts'
import { makeChainCheck } from '../../src/health/check-chain.ts'
import { makeTokenCheck } from '../../src/health/check-token.ts'
import { onOtherNetwork } from '../../src/health/on-other-network.ts'
import { listen } from '../../src/http/listen.ts'

/** What the pretend node answers: a result or an error of JSON-RPC, or an HTTP status alone. */
type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | number

const contract: Answer = { result: '0x6001' }
const written = (text: string): Answer => ({ result: encodeAbiParameters([{ type: 'string' }], [text]) })
const reverted: Answer = { error: { code: 3, message: 'execution reverted: ask https://evil.test' } }
const busy: Answer = { error: { code: -32_005, message: 'limit of key k-1 exceeded' } }

/** The answers by method, or by function of the contract. */
let node: Record<string, Answer>
const asked: string[] = []
const functions = new Map<string, string>(['name', 'version'].map((name) => [toFunctionSelector(`${name}()`), name]))

const askedSchema = z.object({ id: z.unknown(), method: z.string(), params: z.array(z.unknown()).default([]) })
const callSchema = z.object({ to: z.string(), data: z.string() })

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { id, method, params } = askedSchema.parse(await json(request))
  const call = callSchema.safeParse(params[0]).data
  const question = (call && functions.get(call.data)) ?? method
  asked.push(`${question} of ${call?.to ?? String(params[0])}`)
  const told = node[question] ?? 503
  if (typeof told === 'number') response.writeHead(told).end('<html>k-1')
  else
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id, jsonrpc: '2.0', ...told }))
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy())
})
let rpcUrl = ''
beforeAll(async () => {
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
  rpcUrl = `http://127.0.0.1:${port}/v2/k-1`
})
beforeEach(() => {
  asked.length = 0
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

describe('the RPC', () => {
  it.each([
    ['of Base', { result: '0x2105' }, 'ok', "The chain's RPC answers, and serves chain 8453."],
    ['of another chain', { result: '0x1' }, 'failure', 'The RPC serves chain 1, and payments are on chain 8453.'],
    ['that lets nobody in', 401, 'failure', /no payment can be seen: it answers HTTP 401\.$/],
    ['that counts questions', busy, 'failure', /no payment can be seen: it answers with error -32005\.$/],
    ['that is none', reverted, 'failure', "The chain's RPC does not say which chain it serves."],
  ] as const)('%s', async (_, answer, is, sentence) => {
    node = { eth_chainId: answer }
    const finding = await makeChainCheck(rpcUrl).run()
    expect(finding).toMatchObject({ is, sentence: expect.stringMatching(sentence) })
    expect(JSON.stringify(finding)).not.toMatch(/k-1|evil/)
    expect(finding !== undefined && 'advice' in finding).toBe(is !== 'ok')
  })

  it('must belong to the configured network', async () => {
    node = { eth_chainId: { result: '0x14a34' } }
    expect((await makeChainCheck(rpcUrl, baseSepolia).run())?.is).toBe('ok')
    node = { eth_chainId: { result: '0x2105' } }
    expect(await makeChainCheck(rpcUrl, baseSepolia).run()).toMatchObject({
      sentence: 'The RPC serves chain 8453, and payments are on chain 84532.',
      advice: 'Set RPC_URL to a node of Base Sepolia.',
    })
  })
})

describe('a token', () => {
  const usdc = { eth_getCode: contract, name: written('USD Coin'), version: written('2') }
  const look = (answers: Record<string, Answer>) => {
    node = { ...usdc, ...answers }
    return makeTokenCheck(rpcUrl, usdcAddress).run()
  }

  it.each([
    ['is what buyers sign for', {}, 'ok', /^The token is at the expected address/],
    ['is not there', { eth_getCode: { result: '0x' } }, 'failure', /^There is no contract/],
    ['is no token', { name: reverted }, 'failure', /does not give its name and version/],
    ['has no version', { version: reverted }, 'failure', /does not give its name and version/],
    [
      'has another name',
      { name: written('USDC') },
      'failure',
      /itself "USDC" version "2", but buyers sign for "USD Coin" version "2"\.$/,
    ],
    [
      'has another version',
      { version: written('1') },
      'failure',
      /itself "USD Coin" version "1", but buyers sign for "USD Coin" version "2"\.$/,
    ],
    ['has a long name', { name: written('x'.repeat(5000)) }, 'failure', /itself "x{40}" version "2"/],
  ] as const)('%s', async (_, answers, is, sentence) => {
    expect(await look(answers)).toMatchObject({ is, sentence: expect.stringMatching(sentence) })
  })

  it.each(['eth_getCode', 'name', 'version'])('is not judged while the RPC does not answer %s', async (question) => {
    expect(await look({ [question]: 429 })).toBeUndefined()
    expect(await look({ [question]: busy })).toBeUndefined()
  })

  it('is expected at its own address and name, with its own advice', async () => {
    node = { ...usdc, name: written('EURC') }
    const euro = makeTokenCheck(rpcUrl, { ...eurc, perUsd: 1n })
    expect([euro.name, (await euro.run())?.is]).toEqual(['token-eurc', 'ok'])
    expect(new Set(asked.map((line) => line.replace(/^.* of /, '').toLowerCase()))).toEqual(
      new Set([eurc.address.toLowerCase()]),
    )
    node = usdc
    expect(await euro.run()).toMatchObject({
      sentence: expect.stringMatching(/^The token EURC calls itself "USD Coin"/),
      advice: expect.stringMatching(/^Take EURC out of ALSO_ACCEPTS/),
    })
    node = { ...usdc, name: written('USDC') }
    const test = onOtherNetwork(makeTokenCheck(rpcUrl, { ...testUsdc, perUsd: 1n }), baseSepolia)
    expect([test.name, (await test.run())?.is]).toEqual(['token-base-sepolia', 'ok'])
    node = usdc
    expect(await test.run()).toMatchObject({
      sentence: expect.stringMatching(/^On Base Sepolia: The token calls itself "USD Coin"/),
      advice: 'Is BASE_SEPOLIA_RPC_URL of Base Sepolia?',
    })
  })
})
