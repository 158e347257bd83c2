import { type ChildProcess, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeBuyerBundle } from '../../src/build/buyer-bundle.ts'
import { runProgram } from '../support/run-program.ts'
import { openTruthfulShop, type TruthfulShop, testWallet } from '../support/truthful-shop.ts'

const root = join(import.meta.dirname, '../..')
const bundle = join(mkdtempSync(join(tmpdir(), 'farthing-bundle-')), 'buy.mjs')
beforeAll(async () => writeFileSync(bundle, (await makeBuyerBundle(root)).code))

let shop: TruthfulShop
let home: string
beforeEach(async () => {
  shop = await openTruthfulShop()
  home = mkdtempSync(join(tmpdir(), 'farthing-home-'))
})
afterEach(() => shop.close())

interface Run {
  node?: string
  program?: string
  env?: Record<string, string>
  onStart?: (child: ChildProcess) => void
}

const withKey = { FARTHING_PRIVATE_KEY: testWallet.privateKey }
const buy = (
  args: readonly string[],
  { node = process.execPath, program = bundle, env = withKey, onStart }: Run = {},
) =>
  runProgram(node, [program, `${shop.url}/thing`, ...args], {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, ...env },
    ...(onStart && { onStart }),
  })
const purchasesFolder = () => join(home, '.local/state/farthing/purchases')
const pending = () => readdirSync(purchasesFolder())
const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

describe('the buying program', () => {
  it('prints a text on standard output and the report on standard error', async () => {
    const { status, stdout, stderr } = await buy([], { program: join(root, 'src/buyer/main.ts') })
    expect({ status, text: stdout.toString() }).toEqual({ status: 0, text: '# A product\n' })
    expect(stderr).toContain(`${shop.url}/receipts/r_`)
    expect(stderr).not.toContain(testWallet.privateKey.slice(2))
    expect(pending()).toEqual([])
  })

  it('saves the bytes as they are, whole, with nothing beside them', async () => {
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, n) => n % 256))
    shop.product = { bytes, type: 'image/jpeg', headers: {} }
    mkdirSync(join(home, 'out'))
    const { status } = await buy(['-o', 'out/picture.jpg', '--sha256', sha256(bytes)])
    expect(status).toBe(0)
    expect(readdirSync(join(home, 'out'))).toEqual(['picture.jpg'])
    expect(readFileSync(join(home, 'out/picture.jpg'))).toEqual(bytes)
    expect((await buy([])).stdout).toEqual(bytes)
  })

  it('reports to programs in one JSON object', async () => {
    const { stdout } = await buy(['--json', '-d', '{"a":1}'])
    expect(JSON.parse(stdout.toString())).toMatchObject({
      outcome: 'bought',
      exitCode: 0,
      method: 'POST',
      amountMicroUsd: '100000',
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      product: { text: '# A product\n', sha256: sha256('# A product\n') },
    })
  })

  it('saves bytes under a name that cannot leave the folder, and replaces nothing', async () => {
    shop.product = {
      bytes: Buffer.from([0, 255]),
      type: 'audio/mpeg',
      headers: { 'content-disposition': 'attachment; filename="..\\../.evil $(id).mp3"' },
    }
    const named = async () => JSON.parse((await buy(['--json'])).stdout.toString()).product.file
    expect(await named()).toBe('evil-id-.mp3')
    expect(await named()).toBe('evil-id--2.mp3')
  })

  it('killed between signature and reply, it sends the same signature the next time', async () => {
    shop.faults = [{ is: 'silence' }]
    const killed = await buy(['-o', 'product'], {
      onStart: (child) => {
        shop.onPayment = () => child.kill('SIGKILL')
      },
    })
    expect(killed.status).toBeNull()
    shop.onPayment = () => {}
    const [name = ''] = pending()
    expect(statSync(join(purchasesFolder(), name)).mode & 0o777).toBe(0o600)
    const { status, stderr } = await buy(['-o', 'product'])
    expect({ status, settlements: shop.settlements, pending: pending() }).toEqual({
      status: 0,
      settlements: 1,
      pending: [],
    })
    expect(shop.signatures).toHaveLength(2)
    expect(new Set(shop.signatures).size).toBe(1)
    expect(stderr).toContain('nothing new is signed')
    expect(readFileSync(join(home, 'product'), 'utf8')).toBe('# A product\n')
  })

  it('counts what another running command is buying toward the limit of that command alone', async () => {
    shop.faults = [{ is: 'silence' }]
    const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof buy>>>()
    await buy(['--max-usd', '0.10'], {
      onStart: (child) => {
        shop.onPayment = () => {
          shop.onPayment = () => {}
          void buy(['--max-usd', '0.10', '-d', '{"a":2}']).then((second) => {
            resolve(second)
            child.kill('SIGKILL')
          })
        }
      },
    })
    expect(await promise).toMatchObject({ status: 0 })
    const third = await buy(['--max-usd', '0.10', '-d', '{"a":3}'])
    expect(third).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('$0.10 that was signed for this shop before'),
    })
    expect((await buy(['--max-usd', '0.20', '-d', '{"a":3}'])).status).toBe(0)
  })

  it('keeps the purchase when the file cannot be written, and gets it again for free', async () => {
    const folder = join(home, 'out')
    mkdirSync(folder)
    shop.faults = [{ is: 'event', happens: () => rmSync(folder, { recursive: true }) }]
    const failed = await buy(['-o', 'out/product'])
    expect(failed.status).toBe(6)
    expect(failed.stderr).toContain('it fetches the product with the same signature, for free')
    expect(pending()).toHaveLength(1)
    mkdirSync(folder)
    expect((await buy(['-o', 'out/product'])).status).toBe(0)
    expect([shop.settlements, new Set(shop.signatures).size, pending()]).toEqual([1, 1, []])
    expect(readFileSync(join(folder, 'product'), 'utf8')).toBe('# A product\n')
  })

  it('pays a sandbox from the wallet of the sandbox, and does not use a real key there', async () => {
    mkdirSync(join(home, '.data'))
    const state = { baseUrl: shop.url.replace('127.0.0.1', 'localhost'), buyer: { privateKey: testWallet.privateKey } }
    writeFileSync(join(home, '.data/sandbox.json'), JSON.stringify(state))
    const plain = await buy([], { env: {} })
    expect([plain.status, plain.stderr]).toEqual([0, expect.stringContaining('simulated money')])
    const real = await buy([], { env: { FARTHING_PRIVATE_KEY: `0x${'1'.repeat(64)}` } })
    expect(real.stderr).toContain('FARTHING_PRIVATE_KEY is left alone')
    expect(real.stderr).toContain(testWallet.address)
    renameSync(join(home, '.data'), join(home, 'elsewhere'))
    expect((await buy([], { env: { DATA_DIR: 'elsewhere' } })).status).toBe(0)
  })

  it.each([
    ['no key', [], {}, 2, 'There is no key'],
    ['a price above the limit', ['--max-usd', '0.09'], withKey, 3, '$0.10'],
    ['a price above the limit of the environment', [], { ...withKey, MAX_USD: '0.09' }, 3, 'which --max-usd raises'],
    ['a wrong option', ['--sha256', 'x'], withKey, 64, '--sha256'],
    ['a body that is no JSON', ['-d', '{'], withKey, 64, 'not JSON'],
    ['a file in a missing folder', ['-o', 'none/product'], withKey, 64, 'cannot be written'],
    ['a folder for a file', ['-o', '.'], withKey, 64, 'is a folder'],
    ['an invalid key', [], { FARTHING_PRIVATE_KEY: 'hunter2' }, 64, '64 hexadecimal digits'],
  ])('ends because of %s before anything is signed', async (_, args, env, status, reason) => {
    const result = await buy(args, { env })
    expect(result).toMatchObject({ status, stderr: expect.stringContaining(reason) })
    expect(shop.signatures).toEqual([])
  })

  it('runs under the oldest Node.js version that it supports', async () => {
    const nodes = ['/usr/bin/node', '/usr/local/bin/node', process.execPath]
    const node = nodes.find((path) => spawnSync(path, ['--version']).stdout?.toString().startsWith('v20.'))
    shop.faults = [{ is: 'lost reply' }]
    const run = { node: node ?? process.execPath }
    const { status, stdout, stderr } = await buy([], run)
    expect({ status, text: stdout.toString() }).toEqual({ status: 0, text: '# A product\n' })
    expect(stderr).toContain('resent      once')
    expect([shop.settlements, new Set(shop.signatures).size, pending()]).toEqual([1, 1, []])
    expect((await buy(['--help'], run)).stdout.toString()).toContain('exit status')
  })
})
