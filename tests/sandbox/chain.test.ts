import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { createPublicClient, createWalletClient, http, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxAccounts, sandboxPayTo, wellKnownAddresses, wellKnownKeys } from '../../src/config/sandbox-accounts.ts'
import { chainId, network, usdcAddress, usdcDomain } from '../../src/core/chain-constants.ts'
import { type Chain, startChain } from '../../src/sandbox/chain.ts'
import { compileContracts } from '../../src/sandbox/contracts/compile.ts'
import { makeFacilitator } from '../../src/sandbox/facilitator.ts'
import { serveFacilitator } from '../../src/sandbox/serve-facilitator.ts'
import { makeClient, readAuthorization } from '../support/stock-client.ts'

const token = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'function transfer(address to, uint256 value) returns (bool)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
])
const { buyer, facilitator: gas, pauper, relayer } = sandboxAccounts

const terms = {
  scheme: 'exact',
  network,
  amount: '10000',
  asset: usdcAddress,
  payTo: sandboxPayTo,
  maxTimeoutSeconds: 300,
  extra: usdcDomain,
} as const

const signPayment = (privateKey = buyer.privateKey) =>
  makeClient(privateKey).createPaymentPayload({ x402Version: 2, resource: { url: 'http://a.test/' }, accepts: [terms] })

const toReader = (chain: Chain) => createPublicClient({ transport: http(chain.url) })
const balanceOf = (chain: Chain, owner: `0x${string}`) =>
  toReader(chain).readContract({ address: usdcAddress, abi: token, functionName: 'balanceOf', args: [owner] })

/** Closed at the end: otherwise it would go on to send its payments, also to a later chain on the same port. */
const facilitators: { close: () => void }[] = []
const openFacilitator = (options: Partial<Parameters<typeof makeFacilitator>[0]> & { rpcUrl: string }) => {
  const opened = makeFacilitator({ privateKey: gas.privateKey, pollingIntervalMs: 20, ...options })
  facilitators.push(opened)
  return opened
}
const startFacilitator = (chain: Chain) => openFacilitator({ rpcUrl: chain.url })

const aHash = expect.stringMatching(/^0x[0-9a-f]{64}$/)

const running: { stop: () => Promise<void> }[] = []
const start = async (options: Parameters<typeof startChain>[0]): Promise<Chain> => {
  const chain = await startChain(options)
  running.push(chain)
  return chain
}

let folder: string
let chain: Chain
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-chain-'))
  chain = await start({ port: 0 })
})
afterAll(async () => {
  for (const { close } of facilitators) close()
  await Promise.all(running.map(({ stop }) => stop()))
  await rm(folder, { recursive: true, force: true })
})

describe('a new chain', () => {
  it('is Base by its id, with USDC at the canonical address', async () => {
    const reader = toReader(chain)
    expect(await reader.getChainId()).toBe(chainId)
    expect(await reader.getCode({ address: usdcAddress })).toMatch(/^0x60/)
  })

  it('gives the buyer 1,000 USDC, everybody else none, and all of them gas', async () => {
    const owners = [buyer, pauper, gas, relayer]
    const balances = await Promise.all(owners.map(({ address }) => balanceOf(chain, address)))
    expect(balances).toEqual([1_000_000_000n, 0n, 0n, 0n])
    const reader = toReader(chain)
    for (const { address } of owners) expect(await reader.getBalance({ address })).toBeGreaterThan(10n ** 18n)
  })

  it('lets any account with gas send transactions of its own', async () => {
    const wallet = createWalletClient({ account: privateKeyToAccount(relayer.privateKey), transport: http(chain.url) })
    const call = { address: usdcAddress, abi: token, functionName: 'transfer', args: [pauper.address, 0n] } as const
    const hash = await wallet.writeContract({ ...call, chain: null })
    expect(await toReader(chain).waitForTransactionReceipt({ hash, pollingInterval: 20 })).toMatchObject({
      status: 'success',
    })
  })
})

describe('settling', () => {
  it('moves the money of a signature once, however often it is settled', async () => {
    const facilitator = startFacilitator(chain)
    const before = await balanceOf(chain, sandboxPayTo)
    const payment = await signPayment()
    expect(await facilitator.verify(payment, terms)).toMatchObject({ isValid: true, payer: buyer.address })
    expect(await facilitator.settle(payment, terms)).toMatchObject({ success: true, payer: buyer.address })
    expect(await facilitator.settle(payment, terms)).toMatchObject({ success: false, transaction: '' })
    expect(await facilitator.verify(payment, terms)).toMatchObject({
      isValid: false,
      invalidReason: 'invalid_exact_evm_nonce_already_used',
    })
    expect((await balanceOf(chain, sandboxPayTo)) - before).toBe(10_000n)
  })

  it('settles 12 payments at once, and payments used before do not hold up the others', async () => {
    const facilitator = startFacilitator(chain)
    const used = await signPayment()
    await facilitator.settle(used, terms)
    const before = await balanceOf(chain, sandboxPayTo)
    const fresh = await Promise.all(Array.from({ length: 12 }, () => signPayment()))
    const mixed = fresh.flatMap((payment, index) => (index % 3 === 0 ? [used, payment] : [payment]))
    const outcomes = await Promise.all(mixed.map((payment) => facilitator.settle(payment, terms)))
    expect(outcomes.map(({ success }) => success)).toEqual(mixed.map((payment) => payment !== used))
    expect((await balanceOf(chain, sandboxPayTo)) - before).toBe(120_000n)
  })

  it('refuses a buyer without money and says why', async () => {
    expect(await startFacilitator(chain).verify(await signPayment(pauper.privateKey), terms)).toMatchObject({
      isValid: false,
      invalidReason: 'invalid_exact_evm_insufficient_balance',
    })
  })

  it('works on the next chain of the same process', async () => {
    const next = await start({ port: 0 })
    expect(await startFacilitator(next).settle(await signPayment(), terms)).toMatchObject({ success: true })
  })

  it('answers settlement_pending with the hash when blocks are slower than the wait', async () => {
    const slow = await start({ port: 0, blockTimeSeconds: 2 })
    const hasty = openFacilitator({ rpcUrl: slow.url, confirmationTimeoutMs: 100 })
    const payment = await signPayment()
    const pending = await hasty.settle(payment, terms)
    expect(pending).toMatchObject({ success: false, errorReason: 'settlement_pending', transaction: aHash })
    const patient = startFacilitator(slow)
    expect(await patient.settle(await signPayment(), terms)).toMatchObject({ success: true })
  })
})

describe('a saved chain', () => {
  it('keeps balances, receipts, logs and used signatures over a stop and a start', async () => {
    const stateFile = join(folder, 'deep', 'chain.json')
    const first = await start({ port: 0, stateFile, buyerBalance: 50_000n })
    const payment = await signPayment()
    const { transaction } = await startFacilitator(first).settle(payment, terms)
    await first.stop()
    expect(await first.exited).toBe(0)

    const second = await start({ port: 0, stateFile, buyerBalance: 50_000n })
    const reader = toReader(second)
    const { from, nonce } = readAuthorization(payment)
    expect(await balanceOf(second, buyer.address)).toBe(40_000n)
    expect(await balanceOf(second, sandboxPayTo)).toBe(10_000n)
    const receipt = await reader.getTransactionReceipt({ hash: toHash(transaction) })
    expect(receipt).toMatchObject({ status: 'success' })
    const used = { address: usdcAddress, abi: token, args: { authorizer: from, nonce } } as const
    const logs = await reader.getContractEvents({ ...used, eventName: 'AuthorizationUsed', fromBlock: 0n })
    expect(logs.map(({ transactionHash }) => transactionHash)).toEqual([transaction])
    expect(await startFacilitator(second).verify(payment, terms)).toMatchObject({ isValid: false })
    expect(await startFacilitator(second).settle(await signPayment(), terms)).toMatchObject({ success: true })
  })

  it('has the current time after it was stopped for a day', async () => {
    const stateFile = join(folder, 'asleep.json')
    const first = await start({ port: 0, stateFile })
    await first.stop()
    const yesterday = `0x${(Math.floor(Date.now() / 1000) - 86_400).toString(16)}`
    const saved = await readFile(stateFile, 'utf8')
    await writeFile(stateFile, saved.replaceAll(/"timestamp":"0x[0-9a-f]{8}"/g, `"timestamp":"${yesterday}"`))
    const second = await start({ port: 0, stateFile })
    const { timestamp } = await toReader(second).getBlock()
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60)
  })

  it('can be started again after its owner was killed, with nothing lost', async () => {
    const stateFile = join(folder, 'orphan.json')
    const module = new URL('../../src/sandbox/chain.ts', import.meta.url)
    const script = `
      const { startChain } = await import('${module}')
      const chain = await startChain({ port: 0, stateFile: ${JSON.stringify(stateFile)}, buyerBalance: 7n })
      process.stdout.write(chain.url)`
    const owner = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [url] = await once(owner.stdout.setEncoding('utf8'), 'data')
    owner.kill('SIGKILL')
    const next = await start({ port: Number(new URL(url).port), stateFile, buyerBalance: 8n })
    expect(await balanceOf(next, buyer.address)).toBe(7n)
  })

  it('that is damaged is reported in a sentence that names the file', async () => {
    const stateFile = join(folder, 'damaged.json')
    await writeFile(stateFile, '{"block":')
    await expect(startChain({ port: 0, stateFile })).rejects.toThrow(
      `The saved chain ${stateFile} cannot be read; delete that file to begin a new one`,
    )
  })
})

describe('a taken port', () => {
  it('ends in a sentence that names CHAIN_PORT', async () => {
    const port = Number(new URL(chain.url).port)
    await expect(startChain({ port })).rejects.toThrow(/^Port \d+ of the local chain is taken; .* set CHAIN_PORT/)
  })

  it('ends in a sentence that names FACILITATOR_PORT', async () => {
    const port = Number(new URL(chain.url).port)
    await expect(serveFacilitator(startFacilitator(chain), { port })).rejects.toThrow(
      /^Port \d+ of the facilitator is taken; .* set FACILITATOR_PORT/,
    )
  })
})

describe('the facilitator over HTTP', () => {
  const lines: string[] = []
  let url: string
  beforeAll(async () => {
    const served = await serveFacilitator(startFacilitator(chain), { port: 0, log: (line) => lines.push(line) })
    running.push({ stop: served.close })
    url = served.url
  })

  const post = (path: string, body: string, type = 'application/json') =>
    fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': type }, body })
  const requestOf = async () =>
    JSON.stringify({ x402Version: 2, paymentPayload: await signPayment(), paymentRequirements: terms })

  it('says what it supports, verifies and settles', async () => {
    expect(await (await fetch(`${url}/supported`)).json()).toMatchObject({
      kinds: [{ x402Version: 2, scheme: 'exact', network }],
      signers: { 'eip155:*': [gas.address] },
    })
    const body = await requestOf()
    expect(await (await post('/verify', body)).json()).toMatchObject({ isValid: true })
    expect(await (await post('/settle', body)).json()).toMatchObject({
      success: true,
      transaction: aHash,
    })
  })

  it('refuses junk with 400 and reveals nothing of its internals', async () => {
    const good = JSON.parse(await requestOf())
    const { signature: _, ...unsigned } = good.paymentPayload.payload
    const alter = (payload: object) =>
      JSON.stringify({ ...good, paymentPayload: { ...good.paymentPayload, ...payload } })
    const junk = [
      '',
      'null',
      '7',
      '{}',
      '[]',
      '{"x402Version":2}',
      '\u0000',
      alter({ payload: unsigned }),
      alter({ x402Version: 1 }),
    ]
    for (const body of junk)
      for (const path of ['/verify', '/settle']) {
        const response = await post(path, body)
        expect([body, response.status]).toEqual([body, 400])
        expect(await response.text()).not.toMatch(/error:|at |node_modules|\.ts|zod/i)
      }
  })

  it('answers 404, 405, 413 and 415 in JSON', async () => {
    const answers = await Promise.all([
      post('/other', '{}'),
      fetch(`${url}/settle`),
      post('/settle', 'x'.repeat(300 * 1024)),
      post('/settle', '{}', 'text/plain'),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 405, 413, 415])
    expect(answers[1]?.headers.get('allow')).toBe('POST')
    for (const answer of answers)
      expect(await answer.json()).toMatchObject({ error: expect.stringMatching(/^[a-z_]+$/) })
  })

  it('responds to a request that comes a little after the time that Keep-Alive announced', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = async () => {
      const [answer] = await once(get(`${url}/supported`, { agent }), 'response')
      const { localPort } = answer.socket
      answer.resume()
      await once(answer, 'end')
      return [answer.statusCode, localPort, answer.headers['keep-alive']]
    }
    const first = await ask()
    expect(first[2]).toBe('timeout=5')
    await turn()
    // Otherwise the agent would close the idle connection at the announced time, which a busy agent does late.
    for (const socket of Object.values(agent.freeSockets).flat()) socket?.setTimeout(0)
    await delay(6500)
    expect(await ask()).toEqual(first)
    agent.destroy()
  })

  it('does not pass on the error messages of the chain', async () => {
    const used = await requestOf()
    await post('/settle', used)
    const answer = await (await post('/settle', used)).json()
    expect(answer).toMatchObject({ success: false, errorReason: 'invalid_exact_evm_nonce_already_used' })
    expect(answer).not.toHaveProperty('errorMessage')
    expect(lines.join('\n')).toContain('authorization is used or canceled')
  })

  it('gives no verdict on a payment while the chain does not respond', async () => {
    const dead = openFacilitator({ rpcUrl: 'http://127.0.0.1:9' })
    const served = await serveFacilitator(dead, { port: 0 })
    running.push({ stop: served.close })
    const headers = { 'content-type': 'application/json' }
    const body = await requestOf()
    const ask = async (path: string) => {
      const response = await fetch(`${served.url}${path}`, { method: 'POST', headers, body })
      return [response.status, await response.json()]
    }
    const unknown = [502, { error: 'outcome_unknown' }]
    expect(await Promise.all(['/verify', '/settle'].map(ask))).toEqual([unknown, unknown])
  })
})

describe('what is committed', () => {
  it('is the bytecode that the source compiles to', async () => {
    const committed = new URL('../../src/sandbox/contracts/artifacts.json', import.meta.url)
    expect(await readFile(committed, 'utf8')).toBe(compileContracts())
  })

  it('are addresses that belong to the public keys, all of which live mode can refuse', () => {
    for (const privateKey of wellKnownKeys)
      expect(wellKnownAddresses).toContain(privateKeyToAccount(toHash(privateKey)).address.toLowerCase())
    expect(wellKnownAddresses).toContain(sandboxPayTo.toLowerCase())
    for (const { address, privateKey } of Object.values(sandboxAccounts))
      expect(privateKeyToAccount(privateKey).address).toBe(address)
  })
})

function toHash(text: string): `0x${string}` {
  return `0x${text.replace(/^0x/, '')}`
}
