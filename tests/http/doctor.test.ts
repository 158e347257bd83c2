import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FaultyRpc, startFaultyRpc } from '../support/faulty-rpc.ts'
import { findFreePorts } from '../support/free-ports.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { startObjectServer, storageKeys } from '../support/object-server.ts'
import { startPretendCdp } from '../support/pretend-cdp.ts'
import { runProgram } from '../support/run-program.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'farthing-doctor-'))
const key = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6'

let money: RunningMoney
let rpc: FaultyRpc
/** An address where nothing listens yet. */
let place: string
beforeAll(async () => {
  money = await startMoney()
  rpc = await startFaultyRpc(money.rpcUrl)
  place = `https://localhost:${await findFreePorts()}`
})
afterAll(async () => {
  await rpc?.close()
  await money?.stop()
  rmSync(folder, { recursive: true })
})

/** Runs `npm run doctor` for a live shop with these settings. */
const examine = async (more: Readonly<Record<string, string>> = {}, args: readonly string[] = []) => {
  const { PATH = '' } = process.env
  const env = {
    PATH,
    FARTHING_MODE: 'live',
    BASE_URL: place,
    GAME_URL: place,
    PAY_TO_ADDRESS: privateKeyToAddress(generatePrivateKey()),
    FACILITATOR_URL: money.facilitatorUrl,
    RPC_URL: `${rpc.url}/v2/${key}`,
    DATA_DIR: join(folder, 'none-yet'),
    ...more,
  }
  const { status, stdout, stderr } = await runProgram(process.execPath, ['src/commands/doctor.ts', ...args], {
    cwd: root,
    env,
  })
  const said = stdout.toString() + stderr
  expect(said).not.toContain(key)
  return { status, said, lines: said.split('\n') }
}

it('finds nothing wrong with a shop that is not running and could', async () => {
  const { status, said, lines } = await examine()
  expect([status, lines.at(-2)]).toEqual([0, 'Nothing was found that keeps this shop from selling.'])
  expect(said).toContain(`chain        ${rpc.url}/v2/…`)
  const ok = ['settings', 'chain', 'token', 'blocks', 'clock', 'facilitator', 'verification', 'folder']
  expect(lines.flatMap((line) => /^(\S+) +(\w+) {2}/.exec(line)?.slice(1, 3).join(' ') ?? [])).toEqual([
    ...ok.map((name) => `ok ${name}`),
    // How much memory there is, and whether it is enough, depends on this machine.
    expect.stringMatching(/^(?:ok|WARNING) memory$/),
    'WARNING dns',
    ...['tls', 'headers'].map((name) => `later ${name}`),
    '? terms',
    ...['callers', 'caches', 'socket'].map((name) => `later ${name}`),
  ])
  expect(said).toMatch(/^later +headers +The site is not running at .*; run this again when it is\./m)
})

it('says of each thing that is wrong what to do, and ends with 1', async () => {
  rpc.refuses = () => 404
  const { status, said, lines } = await examine({ FACILITATOR_URL: `${money.facilitatorUrl}/elsewhere` })
  rpc.refuses = () => undefined
  expect([status, lines.at(-2)]).toEqual([1, '3 things keep this shop from selling.'])
  expect(said).toMatch(/^FAILURE {2}chain .* answers HTTP 404\.\n +Check RPC_URL with its path and key/m)
  expect(said).toMatch(/^FAILURE {2}facilitator .* HTTP 404/m)
  expect(said).toMatch(/^FAILURE {2}verification .* HTTP 404 without a verdict\.\n +Check FACILITATOR_HEADERS/m)
  expect(said).toMatch(/^\? +token +Cannot be checked/m)
})

it('checks the gas wallet of our own facilitator before that was ever started', async () => {
  const self = { FACILITATOR_URL: 'self', FACILITATOR_PRIVATE_KEY: generatePrivateKey() }
  const { status, said } = await examine(self)
  expect(status).toBe(1)
  expect(said).toMatch(/^FAILURE {2}settlement .*pays for 0 more settlements.*\n +Send some ether on Base/m)
})

it('warns of a shop that has sold and has no backup, and not of a new one', async () => {
  const dataDir = mkdtempSync(join(folder, 'data-'))
  expect((await examine({ DATA_DIR: dataDir })).said).toMatch(/^ok +backups +The first backup has not been made yet/m)
  writeFileSync(join(dataDir, 'ledger.db'), '')
  const { status, said } = await examine({ DATA_DIR: dataDir })
  expect([status, /^WARNING {2}backups +There is no backup\.$/m.test(said)]).toEqual([0, true])
})

it('reports that the data folder cannot be created', async () => {
  // Below a file there can be no folder.
  const { status, said } = await examine({ DATA_DIR: join(import.meta.filename, 'data') })
  expect([status, /^FAILURE {2}folder .*cannot write to the data folder/m.test(said)]).toEqual([1, true])
})

it('names the settings that are missing', async () => {
  const { status, said } = await examine({ RPC_URL: '' })
  expect([status, said]).toEqual([1, 'RPC_URL must be set in live mode\n'])
})

it('finds nothing wrong with a shop that can do without one of its facilitators, and says what that one lacks', async () => {
  const cdp = await startPretendCdp({ upstreamUrl: money.facilitatorUrl, keys: {} })
  const more = { FACILITATOR_URL: `${cdp.url},${money.facilitatorUrl}`, CDP_BASE_URL: cdp.origin }
  const { status, said } = await examine(more)
  await cdp.close()
  expect(said).toContain('Nothing was found that keeps this shop from selling.')
  expect(said).toMatch(/WARNING {2}facilitator 127\S+ +The payment facilitator 127\S+ refuses this shop \(HTTP 401\)/)
  expect(said).toContain('Set CDP_API_KEY_ID and CDP_API_KEY_SECRET.')
  expect(status).toBe(0)
})

it('warns of a wallet without a checksum, and buys nothing from a shop that is not running', async () => {
  const { status, said } = await examine({ PAY_TO_ADDRESS: `0x${'ab'.repeat(20)}` }, ['--purchase'])
  expect(status).toBe(1)
  expect(said).toMatch(
    /^WARNING {2}settings +PAY_TO_ADDRESS is written without a checksum.* write 0x[0-9a-fA-F]{40}\.$/m,
  )
  expect(said).toMatch(/shows no catalog, so nothing can be bought; run this again when it is running\n$/)
})

it('checks whether the storage accepts its keys, and shows none of them', async () => {
  const storage = await startObjectServer()
  const secret = 'a-secret-of-the-storage'
  const settings = { STORAGE_URL: storage.url(), ...storageKeys, STORAGE_SECRET_ACCESS_KEY: secret }
  const { status, said } = await examine(settings)
  await storage.stop()
  expect(status).toBe(0)
  expect(said).toMatch(/WARNING +storage +The storage does not take this secret\.\n +Check STORAGE_URL and its keys/)
  expect(said).not.toContain(secret)
  expect(said).not.toContain(storageKeys.STORAGE_ACCESS_KEY_ID)
})
