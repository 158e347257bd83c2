import { createServer, type RequestListener } from 'node:http'
import { concat, encodeErrorResult, type Hex, hexToBigInt, isHex, numberToHex, parseAbi, slice } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { listen } from '../../src/http/listen.ts'
import { type ChainOracle, makeChainOracle } from '../../src/payments/chain/chain-oracle.ts'
import { makeWalletCheck } from '../../src/payments/chain/wallet-check.ts'
import { readPayment } from '../../src/payments/wire/read-payment.ts'
import { wrapErc6492 } from '../support/hostile-wallets.ts'
import { pretendChain } from '../support/pretend-chain.ts'
import { signPayment } from '../support/signed-payments.ts'

const wallet: `0x${string}` = `0x${'ab'.repeat(20)}`
/** Not the length of a key's signature, so that the contract is asked. */
const signature = `0x${'01'.repeat(66)}`
/** The order of secp256k1. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const hex = (text: string): Hex => {
  if (!isHex(text)) throw new Error('not hexadecimal')
  return text
}
const called = z.object({ id: z.number(), method: z.string() })
const closings: (() => void)[] = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})

interface Refusal {
  status: number
  code: number
  message: string
  data?: string
}

/** A node with a contract at every address, whose calls all fail with this error. */
const openNode = ({ status, ...error }: Refusal): Promise<string> =>
  open((request, response) => {
    void request.toArray().then((parts) => {
      const { id, method } = called.parse(JSON.parse(Buffer.concat(parts).toString('utf8')))
      const isCall = method === 'eth_call'
      const answer = { jsonrpc: '2.0', id, ...(isCall ? { error } : { result: '0x60' }) }
      response.writeHead(isCall ? status : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })

async function open(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  const { port } = await listen(server, { host: '127.0.0.1', port: 0 })
  closings.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  return `http://127.0.0.1:${port}`
}

const ask = async (answer: Refusal) => {
  const oracle = makeChainOracle(await openNode(answer))
  return makeWalletCheck(() => oracle).isSignedText(wallet, 'a text', signature)
}

it.each([
  { status: 429, code: -32005, message: 'daily request count exceeded, request rate limited' },
  { status: 429, code: 429, message: 'Your app has exceeded its compute units per second capacity' },
  { status: 200, code: -32016, message: 'over rate limit' },
  { status: 200, code: -32603, message: 'Internal error' },
  { status: 200, code: -32000, message: 'header not found' },
  { status: 503, code: -32000, message: 'no backend is currently healthy to serve traffic' },
])('does not know whether a contract wallet signed if the node says $status "$message"', async (answer) => {
  expect(await ask(answer)).toBe('unknown')
})

it.each([
  { status: 200, code: 3, message: 'execution reverted' },
  { status: 200, code: -32000, message: 'execution reverted: ECDSA: invalid signature' },
  { status: 200, code: -32000, message: 'out of gas' },
  { status: 200, code: -32003, message: 'out of gas: gas required exceeds: 500000' },
  { status: 200, code: -32000, message: 'invalid opcode: INVALID' },
  { status: 200, code: -32000, message: 'stack underflow (0 <=> 1)' },
  { status: 200, code: -32015, message: 'VM execution error.' },
])('knows that a contract wallet did not sign if it reverted with "$message"', async (answer) => {
  expect(await ask(answer)).toBe('no')
})

it('recognizes the signature of a key, also wrapped like that of an undeployed contract (ERC-6492)', async () => {
  const [account, other] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]
  const oracle: ChainOracle = { ...pretendChain({ ms: Date.now() }).oracle, hasCode: async () => false }
  const wrapped = wrapErc6492(other.address, '0x', await account.signMessage({ message: 'a text' }))
  const ask = (wallet: string) => makeWalletCheck(() => oracle).isSignedText(wallet.toLowerCase(), 'a text', wrapped)
  expect([await ask(account.address), await ask(other.address)]).toEqual(['yes', 'no'])
})

it('recognizes the signature of a key whose last byte counts from 0, as from hardware wallets', async () => {
  const [account, other] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]
  const oracle: ChainOracle = { ...pretendChain({ ms: Date.now() }).oracle, hasCode: async () => false }
  const ask = (wallet: string, text: string, from0: string) =>
    makeWalletCheck(() => oracle).isSignedText(wallet.toLowerCase(), text, from0)
  // Several signatures, so that both parities occur.
  for (let turn = 0; turn < 8; turn += 1) {
    const text = `text ${turn}`
    const signed = await account.signMessage({ message: text })
    const from0 = `${signed.slice(0, -2)}0${Number.parseInt(signed.slice(-2), 16) - 27}`
    expect([await ask(account.address, text, from0), await ask(other.address, text, from0)]).toEqual(['yes', 'no'])
    expect(await ask(account.address, 'another text', from0)).toBe('no')
  }
})

it('does not follow an OffchainLookup of a contract wallet (EIP-3668)', async () => {
  const asked: (string | undefined)[] = []
  const inside = await open((request, response) => {
    asked.push(request.url)
    response.end('{"data":"0x1626ba7e"}')
  })
  const data = encodeErrorResult({
    abi: parseAbi(['error OffchainLookup(address sender, string[] urls, bytes data, bytes4 callback, bytes extra)']),
    args: [wallet, [`${inside}/secret?{data}`], '0x', '0x1626ba7e', '0x'],
  })
  const answer = await ask({ status: 200, code: 3, message: 'execution reverted', data })
  expect(asked).toEqual([])
  expect(answer).toBe('no')
})

/** A payment signed by a key, and the parts of its signature. */
async function openSigned() {
  const { header } = await signPayment({ amount: 100_000n })
  const payment = readPayment(header)
  if (!payment) throw new Error('the payment cannot be read')
  const [r, s, v] = [
    slice(hex(payment.signature), 0, 32),
    slice(hex(payment.signature), 32, 64),
    payment.signature.slice(-2),
  ]
  const word = (value: bigint) => numberToHex(value, { size: 32 })
  const join = (parts: { r?: Hex; s?: Hex; v?: string }) => {
    const whole = { r, s, v, ...parts }
    return concat([whole.r, whole.s, `0x${whole.v}`])
  }
  /** The second signature of the same key for the same text. */
  const twin = join({ s: word(order - hexToBigInt(s)), v: v === '1b' ? '1c' : '1b' })
  return { payment, word, join, twin }
}

/** A chain on which there is no contract. */
const plainChain: ChainOracle = { ...pretendChain({ ms: Date.now() }).oracle, hasCode: async () => false }

it('recognizes by their form alone the signatures that a token accepts from a key or an undeployed contract', async () => {
  const { payment, word, join, twin } = await openSigned()
  const { couldBeSigned } = makeWalletCheck(() => plainChain)
  const could = (signature: string) => couldBeSigned({ ...payment, signature })
  const factory: Hex = `0x${'12'.repeat(20)}`
  const isGood = [
    join({}),
    join({ r: word(1n) }),
    join({ r: word(order - 1n) }),
    join({ s: word(1n) }),
    join({ s: word(order / 2n) }),
  ]
  expect(await Promise.all([...isGood, wrapErc6492(factory, '0x', '0xab')].map(could))).toEqual(Array(6).fill(true))
  const isWrong = [
    ...[
      twin,
      join({ r: word(0n) }),
      join({ r: word(order) }),
      join({ s: word(0n) }),
      join({ s: word(order / 2n + 1n) }),
    ],
    ...[join({ v: '00' }), join({ v: '1d' })],
    ...[wrapErc6492(`0x${'00'.repeat(20)}`, '0x', '0xab'), wrapErc6492(factory, '0x', '0x')],
  ]
  expect(await Promise.all(isWrong.map(could))).toEqual(Array(9).fill(false))
})

it('takes the second signature of a key for the same text for none, because tokens refuse it', async () => {
  const { payment, twin } = await openSigned()
  const { isSigned } = makeWalletCheck(() => plainChain)
  expect([await isSigned(payment), await isSigned({ ...payment, signature: twin })]).toEqual(['yes', 'no'])
})

it('lets a signature of a contract pass while the chain does not answer, and none on a network that is not accepted', async () => {
  const { payment } = await openSigned()
  const silent = { ...plainChain, hasCode: () => Promise.reject(new Error('the chain is away')) }
  const ofContract = { ...payment, signature }
  expect(await makeWalletCheck(() => silent).couldBeSigned(ofContract)).toBe(true)
  const nowhere = makeWalletCheck(() => undefined)
  expect([await nowhere.couldBeSigned(ofContract), await nowhere.isSigned(payment)]).toEqual([false, 'no'])
})
