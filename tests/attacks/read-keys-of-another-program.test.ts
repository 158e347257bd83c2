import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { toBuildEnvironment } from '../../src/build/build-environment.ts'
import { toGameHostEnvironment } from '../../src/commands/game-host-environment.ts'
import { runGameHost } from '../../src/commands/run-game-host.ts'
import { type Config, readConfig } from '../../src/config/config.ts'
import { environmentSchema, siteSettings } from '../../src/config/environment.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { findFreePort } from '../../src/sandbox/port.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { testBuild } from '../support/running-site.ts'
import { payingFetch } from '../support/stock-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'farthing-keys-'))
const gasKey = generatePrivateKey()
/** Secrets that an operator's shell may hold and that no program other than the site needs. */
const secrets = {
  FACILITATOR_PRIVATE_KEY: gasKey,
  OPENAI_API_KEY: 'key-of-openai-0123456789',
  MINIMAX_API_KEY: 'key-of-minimax-0123456789',
  FARTHING_PRIVATE_KEY: generatePrivateKey(),
  AWS_SECRET_ACCESS_KEY: 'key-of-a-cloud-0123456789',
  NODE_AUTH_TOKEN: 'key-of-a-registry-0123456789',
}
const gameUrl = 'https://undercroft.test'
const payTo = privateKeyToAddress(generatePrivateKey())

/** The environments of the children of this process, as any process with the same rights can read them. */
function readChildren(): { command: string; environment: string }[] {
  const read = (pid: string, file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8')
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!/^\d+$/.test(pid) || !read(pid, 'status').includes(`\nPPid:\t${process.pid}\n`)) return []
      return [{ command: read(pid, 'cmdline').replaceAll('\0', ' '), environment: read(pid, 'environ') }]
    } catch {
      return []
    }
  })
}

describe('an attacker who can read the environments of other programs', () => {
  let money: RunningMoney
  let game: ReturnType<typeof runGameHost>
  let config: Config
  let given: Record<string, string>
  beforeAll(async () => {
    for (const [name, secret] of Object.entries(secrets)) vi.stubEnv(name, secret)
    money = await startMoney()
    const gamePort = await findFreePort()
    given = {
      PATH: process.env['PATH'] ?? '',
      ...secrets,
      FARTHING_MODE: 'live',
      BASE_URL: 'https://farthing.test',
      GAME_URL: gameUrl,
      PAY_TO_ADDRESS: payTo,
      DATA_DIR: folder,
      GAME_PORT: String(gamePort),
      FACILITATOR_URL: 'self',
      FACILITATOR_PORT: new URL(money.facilitatorUrl).port,
      FACILITATOR_HEADERS: '{"Authorization":"Bearer of-nobody-0123456789"}',
      RPC_URL: money.rpcUrl,
      FARTHING_SECRET: 'what tokens of bought names are made from',
      VOICE_ENGINE: 'openai',
      IMAGE_ENGINE: 'minimax',
    }
    config = readConfig(given)
    game = runGameHost({ config, buildFolder: testBuild(), env: given, say: () => {} })
    await game.ready
  })
  afterAll(async () => {
    game.stop()
    await game.ended()
    await money.stop()
    rmSync(folder, { recursive: true })
    vi.unstubAllEnvs()
  })

  it.runIf(process.platform === 'linux')(
    'finds no key in the game host, which settles through its parent, in the guards or in the local chain',
    () => {
      const children = readChildren()
      expect(children.filter(({ command }) => command.includes('programs/game-host.mjs'))).toHaveLength(1)
      expect(children.filter(({ command }) => command.includes('anvil'))).toHaveLength(1)
      expect(children.filter(({ command }) => command.startsWith('/bin/sh'))).toHaveLength(2)
      for (const { command, environment } of children)
        for (const [name, secret] of Object.entries(secrets)) {
          expect(environment.includes(secret), `${name} beside ${command}`).toBe(false)
          expect(environment.includes(`${name}=`), `${name} beside ${command}`).toBe(false)
        }
      expect(children.filter(({ environment }) => environment.includes('of-nobody'))).toEqual([])
    },
  )

  it('meets a game host that sells without the keys: it finds the facilitator and makes tokens', async () => {
    const ask: typeof fetch = (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input)
      const local = `http://127.0.0.1:${config.gamePort}${pathname}`
      return input instanceof Request ? fetch(new Request(local, input), init) : fetch(local, init)
    }
    const pay = payingFetch(sandboxAccounts.buyer.privateKey, ask, { maxAmountPerPayment: '$25' })
    const answer = await pay(`${gameUrl}/api/store/unlock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sku: 'tip_3', playerName: 'Patron' }),
    })
    expect(await answer.json()).toMatchObject({ status: 'unlocked', resumeToken: expect.stringMatching(/^rt_/) })
    expect(await money.transfersTo(payTo)).toHaveLength(1)
  })

  it('finds no key in the environment of a build, and the game host gets a configuration without them', () => {
    const built = toBuildEnvironment(config, given)
    expect(Object.keys(secrets).filter((name) => name in built)).toEqual([])
    const host = readConfig(toGameHostEnvironment(config, given))
    for (const name of [
      'mode',
      'host',
      'gamePort',
      'dataDir',
      'baseUrl',
      'gameUrl',
      'wsUrl',
      'payTo',
      'asset',
      'rpcUrl',
      'limitsLoopback',
      'trustedProxies',
    ] as const)
      expect(host[name], name).toEqual(config[name])
    expect(host.facilitator.url).toBe(config.facilitator.url)
    expect([host.facilitatorKey(), host.secret()]).toEqual([undefined, config.secret()])
    // A remote facilitator is asked with the operator's headers by both programs.
    const remote = { ...given, FACILITATOR_URL: 'https://facilitator.test' }
    expect(readConfig(toGameHostEnvironment(readConfig(remote), remote)).facilitator.headers).toEqual(
      readConfig(remote).facilitator.headers,
    )
  })

  it('is given no setting that is named like a key, except the four that every program needs', () => {
    const keys = Object.keys(environmentSchema.shape).filter((name) =>
      /KEY|SECRET|TOKEN|PASSWORD|CREDENTIAL/.test(name),
    )
    expect(keys.filter((name) => !siteSettings.has(name))).toEqual([
      // Both programs show these to a remote facilitator.
      'CDP_API_KEY_ID',
      'CDP_API_KEY_SECRET',
      'FARTHING_SECRET',
      'METRICS_TOKEN',
    ])
  })
})
