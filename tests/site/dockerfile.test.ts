import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toProgramEnvironment } from '../../src/config/program-environment.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { figure } from '../support/figures.ts'
import { findFreePorts } from '../support/free-ports.ts'
import { type RunningMoney, startMoney } from '../support/money.ts'
import { canReadOnly, readOnly } from '../support/production-files.ts'
import { readCopy, readDockerfile, type Step } from '../support/read-dockerfile.ts'
import { type RunningSite, startSite, testBaseUrl } from '../support/running-site.ts'
import { payingFetch } from '../support/stock-client.ts'

const settings = {
  FARTHING_MODE: 'live',
  BASE_URL: testBaseUrl.replace('http:', 'https:'),
  GAME_URL: 'https://undercroft.test',
  PAY_TO_ADDRESS: '0x5115115115115115115115115115115115115115',
}
/** The size limit of an image without Node.js, in megabytes. */
const most = 480

// No container engine is used: the steps run in a folder of this machine, with its system and its Node.js instead of
// those of the image, and without the step that creates folders for another user. This does not prove that an engine
// reads the file as this test does, or that the base image has every system file that the programs need.
describe.runIf(figure(0, 1) === 1 && canReadOnly())('the steps of the Dockerfile, in a bare folder', () => {
  const [making = [], using = []] = readDockerfile('deploy/Dockerfile')
  const root = mkdtempSync(join(tmpdir(), 'farthing-image-'))
  const code = join(root, 'srv/farthing')
  const words = z.array(z.string())
  const wordsOf = (name: string, steps: readonly Step[]): string[] => {
    const text = steps.find(({ instruction }) => instruction === name)?.rest ?? ''
    return words.parse(JSON.parse(text.slice(text.indexOf('['))))
  }
  let money: RunningMoney
  let site: RunningSite

  beforeAll(async () => {
    money = await startMoney()
    mkdirSync(code, { recursive: true })
    const known = { ...settings, FACILITATOR_URL: money.facilitatorUrl }
    const args = new Set<string>()
    for (const step of making) {
      if (step.instruction === 'ARG') args.add(step.rest.split('=')[0] ?? '')
      const copied = step.instruction === 'COPY' ? readCopy(step) : undefined
      for (const path of copied?.from ?? []) {
        const isFolder = copied?.to === './'
        cpSync(path, isFolder ? join(code, path) : join(code, copied?.to ?? ''), { recursive: true })
      }
      if (step.instruction !== 'RUN') continue
      const given = Object.fromEntries(Object.entries(known).filter(([name]) => args.has(name)))
      const path = [dirname(process.execPath), process.env['PATH']].join(':')
      const env = { ...toProgramEnvironment(process.env), NODE_ENV: '', ...given, PATH: path }
      const { status, stderr } = spawnSync('sh', ['-c', step.rest], { cwd: code, env, encoding: 'utf8' })
      if (status !== 0) throw new Error(`RUN ${step.rest} ended with ${status}: ${stderr}`)
    }
    const [, program = '', build = ''] = wordsOf('CMD', using)
    const env = Object.fromEntries(
      using
        .filter(({ instruction }) => instruction === 'ENV')
        .flatMap(({ rest }) => rest.split(' '))
        .map((pair) => pair.split('=', 2).map((text) => text.replace(/^\/(?=data|backups)/, `${root}/`))),
    )
    const within = readOnly(code)
    const own = { ...known, ...env, RPC_URL: money.rpcUrl, HOST: '127.0.0.1' }
    site = await startSite({ ...money, root: code, program, build, within, dataDir: join(root, 'data'), env: own })
  }, 900_000)
  afterAll(async () => {
    await site?.kill('SIGTERM')
    await money?.stop()
    rmSync(root, { recursive: true, force: true })
  })

  it('make a shop that sells from a read-only root', async () => {
    const pay = payingFetch(sandboxAccounts.buyer.privateKey, site.fetch)
    const answer = await pay(`${testBaseUrl}/skills/x402-seller/raw`)
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('# Sell an HTTP resource')])
  })

  it('leave enough for npm start in live mode, which then installs and builds nothing', async () => {
    const ports = await findFreePorts()
    const env = {
      ...{ ...toProgramEnvironment(process.env), ...settings, FACILITATOR_URL: money.facilitatorUrl },
      ...{ RPC_URL: money.rpcUrl, PORT: String(ports), DATA_DIR: join(root, 'started'), NARRATION: 'off' },
    }
    const starter = spawn(process.execPath, ['src/setup/run.mjs', 'src/commands/start.ts'], { cwd: code, env })
    let said = ''
    for (const stream of [starter.stdout, starter.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk))
    await expect.poll(() => said).toContain(`ready ${settings.BASE_URL}`)
    starter.kill('SIGTERM')
    await once(starter, 'exit')
    expect(said).not.toMatch(/installing|building/)
  })

  it('include a health check that passes and fails correctly', () => {
    const [, ...args] = wordsOf('HEALTHCHECK', using)
    const ask = (port: number) =>
      spawnSync(
        process.execPath,
        args.map((text) => text.replace('4321', String(port))),
      ).status
    expect([ask(site.port), ask(9)]).toEqual([0, 1])
  })

  it('leave out the sandbox, development tools and build caches, and stay small', () => {
    const { stdout } = spawnSync('du', ['-sm', code], { encoding: 'utf8' })
    expect(Number.parseInt(stdout, 10)).toBeLessThan(most)
    const left = ['node_modules/@foundry-rs', 'node_modules/vitest', '.cache', '.astro', 'tests', 'shop.env']
    const { stdout: found } = spawnSync('sh', ['-c', `ls -d ${left.join(' ')}`], { cwd: code, encoding: 'utf8' })
    expect(found).toBe('')
  })
})
