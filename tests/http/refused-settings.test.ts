import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { runProgram } from '../support/run-program.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const dataDir = mkdtempSync(join(tmpdir(), 'farthing-refused-'))
afterAll(() => rmSync(dataDir, { recursive: true }))

const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const key = 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6'
const settings = {
  FARTHING_MODE: 'live',
  BASE_URL: 'https://shop.example',
  GAME_URL: 'https://play.shop.example',
  PAY_TO_ADDRESS: wallet,
  FACILITATOR_URL: `https://facilitator.example/${key}`,
  RPC_URL: `https://reader:${key}@rpc.example/v2/${key}?key=${key}`,
  DATA_DIR: dataDir,
}

async function run(program: string, change: Readonly<Record<string, string>>, words: readonly string[] = []) {
  const args = program.endsWith('main.ts') ? ['.build/none'] : words
  const { PATH = '' } = process.env
  const env = { PATH, ...settings, ...change }
  const { status, stdout, stderr } = await runProgram(process.execPath, [program, ...args], { cwd: root, env })
  return { status, said: stdout.toString() + stderr }
}

const mistyped = { PAY_TO_ADDRESS: wallet.replace('6053', '6054') }
const plain = { BASE_URL: 'http://shop.example', GAME_URL: 'http://play.shop.example' }

it.each([
  ['src/commands/build.ts', mistyped, /^PAY_TO_ADDRESS has a wrong checksum/],
  ['src/commands/doctor.ts', mistyped, /^PAY_TO_ADDRESS has a wrong checksum/],
  ['src/commands/start.ts', plain, /^BASE_URL must be https in live mode.*\nGAME_URL must be https in live mode/],
  ['game-server/host/main.ts', plain, /^BASE_URL must be https in live mode.*\nGAME_URL must be https in live mode/],
])('%s refuses wrong settings by their names, prints no key, and does nothing', async (program, change, words) => {
  const { status, said } = await run(program, change)
  expect([status, said]).toEqual([1, expect.stringMatching(words)])
  expect(said).not.toContain(key)
  expect(readdirSync(dataDir)).toEqual([])
})

it.each(['build', 'cup', 'doctor', 'job', 'move', 'narrate', 'operator', 'previews', 'recover', 'restore', 'start'])(
  'npm run %s prints its help whatever the settings are, and does nothing',
  async (name) => {
    const { status, said } = await run(`src/commands/${name}.ts`, mistyped, ['--help'])
    expect([status, said]).toEqual([0, expect.stringMatching(new RegExp(`^npm (?:run )?${name}\\b`))])
    expect(readdirSync(dataDir)).toEqual([])
  },
)

it.each([
  ['start', ['--port', '5000'], /^Unknown option '--port'/],
  ['previews', ['--post', 'x'], /^Unknown option '--post'/],
  ['operator', ['payment'], /^there is no order payment; npm run operator -- --help lists them/],
  ['operator', ['csv', '2026-01-01', '2026-12-31'], /^csv takes nothing beside its options, not 2026-01-01 2026-12-31/],
  ['operator', ['unblock', '203.0.113.9', '203.0.113.10'], /^unblock takes one word, not 203\.0\.113\.9 203/],
  ['operator', ['sign-out', 'everybody'], /^sign-out takes nothing beside its options/],
  ['operator', ['mute', 'Ada', '--minutes', ''], /^--minutes is a number from 0 to 5256000, and not /],
  ['operator', ['mute', 'Ada', '--minutes', 'an hour'], /^--minutes is a number from 0 to 5256000, and not an hour/],
  ['recover', ['from-chain', '--since', '2026-02-30'], /^--since must be a day such as 2026-11-22, not 2026-02-30/],
])('npm run %s refuses arguments that it does not know, before it does anything', async (name, words, why) => {
  const { status, said } = await run(`src/commands/${name}.ts`, {}, words)
  expect([status, said]).toEqual([1, expect.stringMatching(why)])
  expect(readdirSync(dataDir)).toEqual([])
})

it('the site warns at its start of a wallet without a checksum, and prints no key when it ends', async () => {
  const { status, said } = await run('src/site/main.ts', { PAY_TO_ADDRESS: wallet.toLowerCase() })
  expect(status).toBe(1)
  expect(said).toContain(`PAY_TO_ADDRESS is written without a checksum`)
  expect(said).not.toContain(key)
})
