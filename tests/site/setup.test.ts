import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { smallMemory } from '../../src/core/small-memory.ts'
import { canReadOnly, readOnly } from '../support/production-files.ts'

/** A repository with the real set-up, a production dependency and a development dependency. */
const root = mkdtempSync(join(tmpdir(), 'farthing-setup-'))
const program = `import { existsSync } from 'node:fs'
if (process.env.SHOWS) console.log(process.env[process.env.SHOWS])
else console.log(['shop', 'tools'].filter((name) => existsSync('node_modules/' + name)).join(' and '))`
const env = { PATH: process.env['PATH'], HOME: root, npm_config_offline: 'true', npm_config_cache: join(root, 'cache') }

function run(command: string, args: readonly string[], more: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, env: { ...env, ...more }, encoding: 'utf8' })
  return { status, last: stdout.trim().split('\n').at(-1), said: stdout + stderr }
}
const npm = (...args: readonly string[]) =>
  expect(run('npm', [...args, '--no-audit', '--prefer-offline'])).toMatchObject({ status: 0 })
const start = (name: string, more?: Record<string, string>) =>
  run(process.execPath, ['src/setup/run.mjs', `src/commands/${name}.ts`], more)

beforeAll(() => {
  cpSync('src/setup', join(root, 'src/setup'), { recursive: true })
  mkdirSync(join(root, 'src/commands'))
  for (const name of ['start', 'unit', 'operator']) writeFileSync(join(root, `src/commands/${name}.ts`), program)
  for (const name of ['shop', 'tools']) {
    mkdirSync(join(root, 'packed/package'), { recursive: true })
    writeFileSync(join(root, 'packed/package/package.json'), JSON.stringify({ name, version: '1.0.0' }))
    expect(run('tar', ['-czf', `${name}.tgz`, '-C', 'packed', 'package'])).toMatchObject({ status: 0 })
  }
  const [dependencies, devDependencies] = [{ shop: 'file:shop.tgz' }, { tools: 'file:tools.tgz' }]
  const about = { name: 'press', version: '1.0.0', type: 'module', dependencies, devDependencies }
  writeFileSync(join(root, 'package.json'), JSON.stringify(about))
  npm('install', '--package-lock-only')
})
beforeEach(() => rmSync(join(root, 'node_modules'), { recursive: true, force: true }))
afterAll(() => rmSync(root, { recursive: true }))

it('installs production dependencies for a live start, and the rest when the sandbox is started', () => {
  const live = { FARTHING_MODE: 'live' }
  expect(start('start', live).last).toBe('shop')
  expect(start('start', live).said).toBe('shop\n')
  expect(start('start').last).toBe('shop and tools')
  expect(start('start', live).said).toBe('shop and tools\n')
})

it('installs no more with NODE_ENV=production, except for commands of authors', () => {
  const production = { NODE_ENV: 'production' }
  expect(start('operator', production).last).toBe('shop')
  expect(start('unit', production).last).toBe('shop and tools')
})

it('installs everything for an author, whatever npm is configured to omit', () => {
  expect(start('operator', { npm_config_omit: 'dev' }).last).toBe('shop and tools')
})

it.each(Object.entries(smallMemory))('starts the site with %s=%s, unless another value is given', (name, value) => {
  expect(start('start', { FARTHING_MODE: 'live', SHOWS: name }).last).toBe(value)
  expect(start('start', { FARTHING_MODE: 'live', SHOWS: name, [name]: '7' }).last).toBe('7')
  expect(start('operator', { SHOWS: name }).last).toBe('undefined')
})

it('runs after a manual npm ci --omit=dev, from read-only files', ({ skip }) => {
  skip(!canReadOnly(), 'this machine does not let its users make folders read-only for a command')
  npm('ci', '--omit=dev')
  const [command = '', ...args] = [...readOnly(root), process.execPath, 'src/setup/run.mjs', 'src/commands/start.ts']
  expect(run(command, args, { FARTHING_MODE: 'live' }).said).toBe('shop\n')
})
