import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBackups } from '../../src/backups/make-backup.ts'
import { sandboxAccounts, sandboxPayTo } from '../../src/config/sandbox-accounts.ts'
import { usdcAddress } from '../../src/core/chain-constants.ts'
import { unknownPurchase } from '../../src/payments/recover-from-chain.ts'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { newFolder } from '../support/backed-up-shop.ts'
import { makeChainActions } from '../support/chain-actions.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { compiled } from '../support/run-program.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { signPayment } from '../support/signed-payments.ts'
import { payingFetch } from '../support/stock-client.ts'
import { databaseUrlOf } from '../support/test-databases.ts'

const { buyer, relayer } = sandboxAccounts
const [known, skill, posts] = ['/skills/feed-doctor/raw', '/skills/x402-seller/raw', '/api/export/posts']

let money: RunningMoney
let site: RunningSite
const folder = newFolder()
beforeAll(async () => {
  money = await startMoney()
  site = await startSite(money)
  databaseUrl = await databaseUrlOf(site.dataDir)
})
afterAll(async () => {
  await site?.kill('SIGTERM')
  await money?.stop()
  rmSync(folder, { recursive: true })
})

const buy = async (path: string) => {
  const answer = await payingFetch(buyer.privateKey, (input, init) => site.fetch(input, init))(testBaseUrl + path)
  return { status: answer.status, charged: answer.headers.get('x-charged'), text: await answer.text() }
}

/** The database that the commands and the next site use; undefined if they use the files in the data folder. */
let databaseUrl: string | undefined

async function run(command: string, args: readonly string[] = [], { rpcUrl, facilitatorUrl } = money): Promise<string> {
  const place = { DATA_DIR: site.dataDir, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) }
  const env = { ...compiled(), PATH: process.env['PATH'] ?? '', BASE_URL: testBaseUrl, BACKUP_DIR: folder, ...place }
  const { stdout } = await promisify(execFile)(process.execPath, [`src/commands/${command}.ts`, ...args], {
    env: { ...env, RPC_URL: rpcUrl, FACILITATOR_URL: facilitatorUrl },
  })
  return stdout
}

/** What the ledger contains: every sale, and the total of all time. */
async function readBooks() {
  const db = await openLedgerDatabase(join(site.dataDir, 'ledger.db'), databaseUrl)
  try {
    const sales = await db.selectFrom('sale').select(['path', 'product', 'transaction_hash', 'settled_at']).execute()
    const totals = await db.selectFrom('sale_total').select(['count', 'micros']).where('day', '=', '').execute()
    return { sales, totals }
  } finally {
    await db.destroy()
  }
}
const hashes = (list: readonly { transaction_hash?: string | null; transactionHash?: string }[]) =>
  list.map(({ transaction_hash, transactionHash }) => transaction_hash ?? transactionHash).toSorted()

describe('a ledger from a backup that is older than its newest sales', () => {
  it('gets back every payment that the chain shows, in the order of the chain, and nothing else', async () => {
    await buy(known)
    const { dataDir } = site
    const { prefix } = await openBackups({ dataDir, databaseUrl, folder, now: Date.now }).make('hourly', {
      signal: new AbortController().signal,
    })
    const bought = [await buy(skill), await buy(posts)]
    expect(bought.map(({ status }) => status)).toEqual([200, 200])
    const paid = await money.transfersTo()
    const elsewhere = await signPayment({ amount: 70_000n, payTo: relayer.address })
    await makeChainActions(money.rpcUrl).broadcast(elsewhere)
    // A plain transfer has bought nothing.
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [sandboxPayTo, 1_000_000n] })
    await money.rpc('anvil_impersonateAccount', [buyer.address])
    await money.rpc('eth_sendTransaction', [{ from: buyer.address, to: usdcAddress, data }])
    const early = await run('recover', ['from-chain', '--dry-run'])
    expect(early).toContain('0 payments')
    expect(early).toContain('run this again in half an hour')
    // So many blocks later all transfers are safe.
    await money.rpc('anvil_mine', ['0x50'])
    expect(await money.transfersTo()).toHaveLength(paid.length + 1)
    await site.kill()
    // A restore needs an empty database; files are set aside.
    databaseUrl = await databaseUrlOf(randomUUID())
    await run('restore', [prefix])

    expect((await readBooks()).sales).toHaveLength(1)
    expect(await run('recover', ['from-chain', '--dry-run'])).toContain(
      '2 payments that the ledger did not know, $0.60; nothing was changed',
    )
    expect((await readBooks()).sales).toHaveLength(1)
    expect(await run('recover', ['from-chain'])).toContain(
      '2 payments that the ledger did not know, $0.60; written back',
    )
    const { sales } = await readBooks()
    expect(hashes(sales)).toEqual(hashes(paid))
    expect(sales.filter(({ product }) => product === unknownPurchase.product)).toHaveLength(2)
    const books = await readBooks()
    expect(books.totals.reduce((sum, { micros }) => sum + Number(micros), 0)).toBe(700_000)
    expect(await run('recover', ['from-chain', '--since', '2020-01-01'])).toContain('0 payments')
    expect(await readBooks()).toEqual(books)

    site = await startSite({ ...money, dataDir, env: databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl } })
    const balance = await money.balanceOf(buyer.address)
    for (const [index, path] of [skill, posts].entries())
      expect(await buy(path)).toEqual({ ...bought[index], charged: 'false' })
    expect(await money.balanceOf(buyer.address)).toBe(balance)
    expect((await readBooks()).sales.map(({ path }) => path).toSorted()).toEqual([posts, known, skill].toSorted())
  })

  it('rejects arguments that it does not know, and says when the chain does not respond', async () => {
    await expect(run('recover')).rejects.toThrow('write from-chain after the command')
    await expect(run('recover', ['from-chain', '--since', 'yesterday'])).rejects.toThrow(
      '--since must be a day such as',
    )
    const nowhere = { ...money, rpcUrl: 'http://127.0.0.1:9/v2/a-key' }
    const failure = await run('recover', ['from-chain'], nowhere).catch(({ stderr }: { stderr: string }) => stderr)
    expect(failure).toMatch(/^the chain's RPC does not answer: .* run this again\n$/)
    expect(failure).not.toContain('a-key')
    const listing = run('recover', ['from-chain', '--dry-run'], nowhere)
    await expect(listing).rejects.toThrow(/is listed, and nothing was changed; run this again\n$/)
  })
})
