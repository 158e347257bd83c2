import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programSources } from '../../src/build/programs/bundle-programs.ts'
import { readConfig } from '../../src/config/config.ts'
import { environmentSchema } from '../../src/config/environment.ts'
import { gameMemory } from '../../src/core/small-memory.ts'
import { usualWholeMs } from '../../src/http/shutdown.ts'
import postgresPackages from '../../src/setup/postgres/package.json' with { type: 'json' }
import { isHere } from '../support/deployed-proxies.ts'
import { readCompose, type Service } from '../support/read-deployment.ts'
import { readDockerfile } from '../support/read-dockerfile.ts'

const { services, secrets, volumes, networks } = readCompose('deploy/compose.several.yaml')
const get = (name: string): Service => {
  const found = services[name]
  if (!found) throw new Error(`there is no service ${name}`)
  return found
}
const programs = { 'site-1': 'site', 'site-2': 'site', 'game-1': 'game-host', 'game-2': 'game-host' } as const
const ports = { 'site-1': '4321', 'site-2': '4321', 'game-1': '4322', 'game-2': '4322' } as const
const ours = Object.keys(programs).map((name) => [name, get(name)] as const)
const image = readDockerfile('deploy/Dockerfile').at(-1) ?? []
const secretFiles = ({ command = [] }: Service) => command.join(' ').match(/(?<=\/run\/secrets\/)[\w.-]+/g) ?? []

describe('two sites and two game hosts in containers', () => {
  it('run one image, which is built elsewhere and named by the operator', () => {
    expect(new Set(ours.map(([, each]) => each.image))).toHaveLength(1)
    expect(get('game-1').image).toMatch(/^\$\{FARTHING_IMAGE:\?/)
    expect(ours.filter(([, each]) => 'build' in each)).toEqual([])
  })

  it.each(ours)(
    '%s starts an existing program of the image with the files that it is given',
    (name, { command, ...rest }) => {
      const program = programs[name as keyof typeof programs]
      expect(command?.slice(-2)).toEqual([`.build/current/programs/${program}.mjs`, '.build/current'])
      expect(existsSync(programSources[program] ?? '')).toBe(true)
      expect(secretFiles({ command, ...rest })).toEqual(rest.secrets)
    },
  )

  it.each(ours)('%s names settings that exist', (_, { environment }) => {
    const known = { ...environmentSchema.shape, ...gameMemory }
    expect(Object.keys(environment).filter((name) => !(name in known))).toEqual([])
  })

  it.each(ours)('%s writes to its own folder only, and has time to stop', (name, each) => {
    const exposed = image.find(({ instruction }) => instruction === 'VOLUME')?.rest ?? ''
    expect(each.volumes).toEqual([`${name}:/data`])
    expect(exposed).toContain('"/data"')
    expect(each).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
    expect(Number.parseInt(each.stop_grace_period ?? '', 10) * 1000).toBeGreaterThan(usualWholeMs)
  })

  it.each(ours)('%s has a health check at the port of the image', (name, { healthcheck }) => {
    const port = ports[name as keyof typeof ports]
    expect(healthcheck?.test.join(' ')).toContain(`http://127.0.0.1:${port}/healthz`)
    expect(image.find(({ instruction }) => instruction === 'EXPOSE')?.rest.split(' ')).toContain(port)
  })

  it('give the keys for gas, engines and storage to the sites only', () => {
    for (const name of ['game-1', 'game-2']) expect(get(name).secrets).toEqual(['shop.env'])
    expect(get('site-2').secrets).toEqual(['shop.env', 'site.env', 'storage.env'])
  })
})

describe('the services around them', () => {
  it('are reached through the proxy only', () => {
    const published = Object.entries(services).filter(([, each]) => each.ports.length > 0)
    expect(published.map(([name]) => name)).toEqual(['caddy'])
    expect(networks['inside']).toEqual({ internal: true })
    for (const name of ['postgres', 'storage']) expect(get(name).networks).toEqual(['inside'])
    expect(get('caddy').networks).toEqual(['outside'])
  })

  it('include a proxy with the ports of all of them', () => {
    const { SITE_UPSTREAM = '', GAME_UPSTREAM = '' } = get('caddy').environment
    const upstreams = [SITE_UPSTREAM, GAME_UPSTREAM].flatMap((each) => each.split(' '))
    expect(upstreams).toEqual(Object.entries(ports).map(([name, port]) => `${name}:${port}`))
    expect(get('caddy').environment['UPSTREAMS']).toBe('several')
  })

  it('start before the first site, which creates the tables before the others start', () => {
    const healthy = (...on: readonly string[]) =>
      Object.fromEntries(on.map((name) => [name, { condition: 'service_healthy' }]))
    expect(get('site-1').depends_on).toEqual(healthy('postgres', 'storage'))
    expect(get('site-2').depends_on).toEqual(healthy('site-1'))
    expect(get('game-1').depends_on).toEqual(healthy('site-1'))
    expect(get('game-2').depends_on).toEqual(healthy('game-1'))
    for (const name of ['postgres', 'storage']) expect(get(name).healthcheck).toBeDefined()
  })

  it('include the PostgreSQL version of the tests, with its files where that version keeps them', () => {
    const [major] = Object.values(postgresPackages.optionalDependencies)[0]?.split('.') ?? []
    expect(get('postgres').image).toMatch(new RegExp(`^postgres:${major}-`))
    expect(get('postgres').volumes).toEqual(['postgres:/var/lib/postgresql'])
  })

  it('include a database with enough connections for all of them', () => {
    const perSite = 24
    const perGameHost = 20
    const usualMost = 97
    expect(2 * perSite + 2 * perGameHost).toBeLessThan(usualMost)
    expect(readFileSync('docs/scaling.md', 'utf8')).toContain(
      '20 for a site, and 4 for what it has together with others; 20 for a game host',
    )
  })

  it('include a storage that accepts the key of the sites and has the bucket that they use', () => {
    const root = mkdtempSync(join(tmpdir(), 'farthing-storage-'))
    // Stands in for the storage program and prints its arguments.
    const said = ['#!/bin/sh', 'echo "$ROOT_ACCESS_KEY $ROOT_SECRET_KEY $*"', ''].join('\n')
    writeFileSync(join(root, 'versitygw'), said, { mode: 0o755 })
    writeFileSync(join(root, 'storage.env'), 'STORAGE_ACCESS_KEY_ID=an-id\nSTORAGE_SECRET_ACCESS_KEY=a-secret\n')
    const { entrypoint: [shell = '', ...args] = [], command = [], healthcheck } = get('storage')
    const here = command.map((text) =>
      text.replaceAll('$$', '$').replaceAll('/run/secrets', root).replaceAll('/data', `${root}/data`),
    )
    const env = { PATH: `${root}:${process.env['PATH']}` }
    const { stdout, stderr } = spawnSync(shell, [...args, ...here], { env, encoding: 'utf8' })
    expect([stderr, stdout]).toEqual(['', `an-id a-secret --port :7070 --health /health --quiet posix ${root}/data\n`])
    expect(existsSync(join(root, 'data/farthing'))).toBe(true)
    expect(healthcheck?.test.at(-1)).toBe('http://127.0.0.1:7070/health')
  })

  it('restart whatever stops', () => {
    expect(new Set(Object.values(services).map(({ restart }) => restart))).toEqual(new Set(['unless-stopped']))
  })
})

it('no secret value is in the compose file: each is in a file beside it, and every such file is used', () => {
  expect(Object.entries(secrets)).toEqual(
    Object.keys(secrets).map((name) => [name, { file: `../${name}` }] satisfies [string, object]),
  )
  const used = Object.values(services).flatMap((each) => each.secrets)
  expect(new Set(used)).toEqual(new Set(Object.keys(secrets)))
  const ignored = readFileSync('.gitignore', 'utf8').split('\n')
  expect(ignored).toEqual(expect.arrayContaining(Object.keys(secrets).map((name) => `/${name}`)))
})

it('every mounted volume is declared, and every mounted file exists', () => {
  const mounted = Object.values(services).flatMap((each) => each.volumes.map((volume) => volume.split(':')[0] ?? ''))
  const files = mounted.filter((name) => name.startsWith('.'))
  expect(new Set(mounted.filter((name) => !name.startsWith('.')))).toEqual(new Set(Object.keys(volumes)))
  expect(files.filter((name) => !existsSync(join('deploy', name)))).toEqual([])
})

it('the documented commands name files that exist', () => {
  const said = `${readFileSync('docs/scaling.md', 'utf8')} ${readFileSync('deploy/README.md', 'utf8')}`
  const named = [...said.matchAll(/deploy\/[\w./-]*\w/g)].map(([path]) => path)
  const yours = 'deploy/kubernetes/yours'
  expect(named).toContain(yours)
  expect(named.filter((path) => path !== yours && !existsSync(path))).toEqual([])
})

it('the compose file is accepted by docker compose', ({ skip }) => {
  const here = isHere('docker') && spawnSync('docker', ['compose', 'version']).status === 0
  skip(!here, 'docker compose is not installed here: read by nobody but the tests above')
  const env = { ...process.env, BASE_URL: 'a', GAME_URL: 'b', FARTHING_IMAGE: 'c' }
  const args = ['compose', '--file', 'deploy/compose.several.yaml', 'config', '--quiet']
  expect(spawnSync('docker', args, { env, encoding: 'utf8' })).toMatchObject({ status: 0 })
})

it('the programs accept the settings of docs/scaling.md', () => {
  const text = readFileSync('docs/scaling.md', 'utf8')
  const named = (file: string) =>
    Object.fromEntries(
      [
        ...(new RegExp(`cat >+ ${file} <<END\\n([\\s\\S]*?)\\nEND`).exec(text)?.[1] ?? '').matchAll(/^(\w+)=(.*)$/gm),
      ].map(([, name = '', value = '']) => [name, value.replaceAll(/\$\(.*?\)|\$\w+/g, 'a'.repeat(48))]),
    )
  const shop = named('shop.env')
  const [site, storage] = [named('site.env'), named('storage.env')]
  const wallet = '0x5115115115115115115115115115115115115115'
  const yours = {
    FARTHING_MODE: 'live',
    BASE_URL: 'https://shop.example',
    GAME_URL: 'https://play.shop.example',
    PAY_TO_ADDRESS: wallet,
    RPC_URL: 'https://rpc.example',
    FACILITATOR_URL: 'https://facilitator.example',
  }
  const config = readConfig({ ...yours, ...shop, ...site, ...storage, ...get('site-1').environment })
  expect(new URL(config.databaseUrl() ?? '').host).toBe('postgres:5432')
  expect(config.storage).toMatchObject({ bucket: 'farthing', endpoint: 'http://storage:7070' })
  expect([config.storesBackups, config.secret()?.length]).toEqual([true, 48])
})
