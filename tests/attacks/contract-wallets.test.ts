import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sandboxAccounts, sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import { makeChainOracle } from '../../src/payments/chain/chain-oracle.ts'
import { makeWalletCheck } from '../../src/payments/chain/wallet-check.ts'
import { openChainShop } from '../support/chain-shop.ts'
import { deployWallet, fund, setManner, signForWallet } from '../support/hostile-wallets.ts'
import { deployFactory, makeKeyWallet, namedFactory } from '../support/key-wallets.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { signPayment } from '../support/signed-payments.ts'
import { readTerms, type TestShop } from '../support/test-shop.ts'

const wish = { amount: 100_000n, payTo: sandboxPayTo }
const gasWallet = sandboxAccounts.facilitator.address
const token = parseAbi(['function transferFrom(address from, address to, uint256 value) returns (bool)'])
const factory = namedFactory

let money: RunningMoney
let shop: TestShop
beforeAll(async () => {
  money = await startMoney({ settlement: { walletFactories: [factory], limits: { maxGas: 600_000 } } })
  await deployFactory(money.rpc, factory)
  shop = await openChainShop(money, { settleWaitMs: 300 })
})
afterAll(() => money?.stop())

const gasLeft = async () => BigInt(String(await money.rpc('eth_getBalance', [gasWallet, 'latest'])))
/** How many transactions our gas wallet has sent, with those that reverted. */
const sentByUs = async () => Number(await money.rpc('eth_getTransactionCount', [gasWallet, 'latest']))
const buy = async ({ header }: { header: string }) => {
  const response = await shop.buyLeaflet(header)
  const { error } = response.status === 402 ? readTerms(response) : {}
  return { status: response.status, error, text: await response.text() }
}
const paidBy = async (payer: string) =>
  (await money.transfersTo()).filter(({ from }) => from?.toLowerCase() === payer.toLowerCase()).length

it('a contract wallet buys with a signature of its own form, short or as long as a passkey’s (ERC-1271)', async () => {
  const wallet = await makeKeyWallet(money, factory)
  await wallet.deploy()
  for (const moreBytes of [1, 700, 3_800]) {
    const payment = await wallet.sign(wish, moreBytes)
    expect(await buy(payment)).toMatchObject({ status: 200 })
  }
  expect(await paidBy(wallet.address)).toBe(3)
})

it('a wallet that takes any signature pays with one of a single byte', async () => {
  const wallet = await deployWallet(money.rpc, 'accepts')
  expect(await buy(await signForWallet(wallet, wish, '0x01'))).toMatchObject({ status: 200 })
})

it('a signature of another wallet’s key buys nothing', async () => {
  const [wallet, other] = [await makeKeyWallet(money, factory), await makeKeyWallet(money, factory)]
  await wallet.deploy()
  const stolen = await other.sign(wish)
  const { signature, authorization } = stolen.payload.payload
  const forged = await signForWallet(wallet.address, { ...wish, nonce: authorization.nonce }, signature)
  expect(await buy(forged)).toMatchObject({ status: 402 })
  expect(await paidBy(wallet.address)).toBe(0)
})

it('a wallet that is not deployed yet is deployed by its first purchase, and buys again as one that is', async () => {
  const wallet = await makeKeyWallet(money, factory)
  expect(await buy(await wallet.signUndeployed(wish))).toMatchObject({ status: 200 })
  expect(await wallet.isDeployed()).toBe(true)
  expect(await buy(await wallet.sign(wish))).toMatchObject({ status: 200 })
  // Stock wallets go on wrapping their signatures (ERC-6492) for a while after the deployment.
  expect(await buy(await wallet.signUndeployed(wish))).toMatchObject({ status: 200 })
  expect(await paidBy(wallet.address)).toBe(3)
})

it('of two first purchases at once one deploys the wallet, and the other costs no gas and succeeds at the latest when it is repeated', async () => {
  const wallet = await makeKeyWallet(money, factory)
  const before = await sentByUs()
  const sign = (token: string) => wallet.signUndeployed({ ...wish, token })
  const [one, two] = [await sign('one-token'), await sign('two-token')]
  const statuses = (await Promise.all([buy(one), buy(two)])).map(({ status }) => status)
  expect(statuses).toContain(200)
  expect(statuses.filter((status) => status === 200)).toHaveLength(await paidBy(wallet.address))
  for (const payment of [one, two])
    await expect.poll(async () => (await buy(payment)).status, { interval: 200 }).toBe(200)
  expect([await paidBy(wallet.address), await sentByUs()]).toEqual([2, before + 2])
})

it('a factory that the operator did not name deploys nothing, and costs no gas', async () => {
  const stranger = await deployFactory(money.rpc)
  const wallet = await makeKeyWallet(money, stranger)
  const before = await gasLeft()
  expect(await buy(await wallet.signUndeployed(wish))).toMatchObject({
    status: 402,
    error: 'eip6492_factory_not_allowed',
  })
  expect([await wallet.isDeployed(), await gasLeft()]).toEqual([false, before])
})

it('our gas wallet never makes the call that a payment asks an allowed factory to make', async () => {
  await fund(money.rpc, gasWallet, 5_000_000n)
  const wallet = await makeKeyWallet(money, factory)
  const args = [gasWallet, wallet.address, 5_000_000n] as const
  const data = encodeFunctionData({ abi: token, functionName: 'transferFrom', args })
  const payment = await wallet.signUndeployed(wish, { call: { target: usdcAddress, data } })
  await buy(payment)
  const inGasWallet = await money.rpc('eth_call', [
    { to: usdcAddress, data: `0x70a08231${gasWallet.slice(2).padStart(64, '0')}` },
    'latest',
  ])
  expect(BigInt(String(inGasWallet))).toBe(5_000_000n)
})

it('a deployment that burns more gas than a settlement may is refused, and costs none', async () => {
  const before = await gasLeft()
  for (const burns of [700_000n, 5_000_000n]) {
    const wallet = await makeKeyWallet(money, factory)
    const answer = await buy(await wallet.signUndeployed(wish, { burns }))
    expect([answer.status, await wallet.isDeployed()]).toEqual([402, false])
  }
  expect(await gasLeft()).toBe(before)
})

it('a wallet that cannot pay is not deployed at our expense', async () => {
  const before = await gasLeft()
  const wallet = await makeKeyWallet(money, factory, { balance: 99_999n })
  expect(await buy(await wallet.signUndeployed(wish))).toMatchObject({ status: 402 })
  expect([await wallet.isDeployed(), await gasLeft()]).toEqual([false, before])
})

it('a plain account that wraps its signature for the undeployed wallet of a stranger pays, and that is not deployed', async () => {
  const stranger = await makeKeyWallet(money, factory)
  const payment = stranger.wrap(await signPayment(wish))
  expect(await buy(payment)).toMatchObject({ status: 200 })
  expect(await stranger.isDeployed()).toBe(false)
})

it.each([
  { manner: 'reverts' },
  { manner: 'burns' },
  { manner: 'loops' },
  { manner: 'rubbish', figure: 0n },
  { manner: 'rubbish', figure: 100n },
] as const)('a wallet that $manner when it is asked counts as not having signed', async ({ manner, figure = 0n }) => {
  const wallet = await deployWallet(money.rpc, manner, { figure })
  const oracle = makeChainOracle(money.rpcUrl)
  const signature = `0x${'01'.repeat(66)}`
  expect(await makeWalletCheck(() => oracle).isSignedText(wallet.toLowerCase(), 'a text', signature)).toBe('no')
})

it('a wallet that accepts its signature for verification and rejects it for settlement is not charged, and gets nothing', async () => {
  const wallet = await deployWallet(money.rpc, 'accepts')
  const before = await gasLeft()
  let isTurned = false
  const turncoat = await openChainShop(money, {
    settleWaitMs: 300,
    make: async () => {
      await setManner(money.rpc, wallet, 'reverts')
      isTurned = true
      return { body: Buffer.from('the product'), mimeType: 'text/plain' }
    },
  })
  const { header } = await signForWallet(wallet, wish)
  const response = await turncoat.buyLeaflet(header)
  const text = await response.text()
  expect(isTurned).toBe(true)
  expect([402, 503]).toContain(response.status)
  expect(text).not.toContain('the product')
  expect(await turncoat.sales()).toEqual({ count: 0, total: 0n })
  expect([await paidBy(wallet), await gasLeft()]).toEqual([0, before])
})
