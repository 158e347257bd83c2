import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ensureBuild } from '../../src/build/build.ts'
import { toBuildEnvironment } from '../../src/build/build-environment.ts'
import { BuildError } from '../../src/build/build-error.ts'
import { readBuildInputs } from '../../src/build/build-inputs.ts'
import { withBuildLock } from '../../src/build/build-lock.ts'
import { readConfig } from '../../src/config/config.ts'
import { buildFiles, readBuildFacts } from '../../src/storage/build-folder.ts'
import { pinBuild } from '../../src/storage/build-pins.ts'

const key = `0x${'1'.repeat(64)}`
const wallet = `0x${'a'.repeat(40)}`
const live = {
  FARTHING_MODE: 'live',
  BASE_URL: 'https://shop.example',
  GAME_URL: 'https://game.example',
  PAY_TO_ADDRESS: wallet,
  FACILITATOR_URL: 'https://pay.example',
  RPC_URL: 'https://rpc.example',
}
const config = readConfig({})
const inputs = {
  'src/pages/index.astro': '<p>hi</p>',
  'functions/a.ts': 'export {}',
  'game-server/host/main.ts': 'export {}',
  'content/posts/a.mdx': '# a',
  'public/.well-known/security.txt': 'x',
  'site.config.ts': 'export default {}',
  'astro.config.mjs': 'export default {}',
  'package-lock.json': '{}',
}

let root: string
const toBuildKey = (...of: Parameters<typeof readBuildInputs>) => readBuildInputs(...of).key
const toGroundKey = (...of: Parameters<typeof readBuildInputs>) => readBuildInputs(...of).ground
const write = (name: string, text: string) => {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'clone-'))
  for (const [name, text] of Object.entries(inputs)) write(name, text)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('the key of a build', () => {
  it('stays the same while no input of the build changes', () => {
    const before = toBuildKey(root, config)
    write('README.md', 'changed')
    write('tests/a.test.ts', 'changed')
    utimesSync(join(root, 'site.config.ts'), new Date(), new Date())
    expect(toBuildKey(root, config)).toBe(before)
    expect(before).toMatch(/^[0-9a-f]{24}$/)
  })

  it.each(Object.keys(inputs))('changes with the content of %s', (name) => {
    const before = toBuildKey(root, config)
    write(name, 'changed')
    expect(toBuildKey(root, config)).not.toBe(before)
  })

  it('changes when a scheduled post is due, and not while it waits', () => {
    const waiting = (publishedAt: string) => `---\ntitle: Later\npublishedAt: ${publishedAt}\n---\nSoon.`
    const keyOn = (day: string) => {
      vi.setSystemTime(day)
      return toBuildKey(root, config)
    }
    try {
      write('content/posts/later.mdx', waiting('2026-11-23T09:00:00Z # a Monday'))
      const keys = ['2026-11-22', '2026-11-23T08:59:59Z', '2026-11-23T09:00:00Z', '2027-01-01'].map(keyOn)
      expect(keys).toEqual([keys[0], keys[0], keys[2], keys[2]])
      expect(keys[0]).not.toBe(keys[2])
    } finally {
      vi.useRealTimers()
    }
  })

  it('can be computed for a later time', () => {
    write('content/posts/b.mdx', '---\npublishedAt: 2999-01-01T10:00:00Z\n---\n')
    const [now, before, then] = [new Date(), new Date('2999-01-01T09:59:59Z'), new Date('2999-01-01T10:00:00Z')]
    const keys = [now, before, then].map((asOf) => toBuildKey(root, config, asOf))
    expect(keys).toEqual([toBuildKey(root, config), keys[0], expect.not.stringMatching(keys[0] ?? '')])
  })

  it('changes when a file is added, removed or renamed', () => {
    const keys = [toBuildKey(root, config)]
    write('content/posts/b.mdx', '# b')
    keys.push(toBuildKey(root, config))
    rmSync(join(root, 'content/posts/b.mdx'))
    write('content/posts/c.mdx', '# b')
    keys.push(toBuildKey(root, config))
    rmSync(join(root, 'content/posts/c.mdx'))
    expect(new Set(keys).size).toBe(3)
    expect(toBuildKey(root, config)).toBe(keys[0])
  })

  it('changes with every public address, and with no other setting', () => {
    const other = { BASE_URL: 'https://x.example', GAME_URL: 'https://y.example', WS_URL: 'wss://z.example/ws' }
    const money = {
      PAY_TO_ADDRESS: `0x${'b'.repeat(40)}`,
      USDC_CONTRACT_ADDRESS: wallet,
      FACILITATOR_URL: 'https://f.example',
    }
    const keys = Object.entries({ ...other, ...money }).map(([name, value]) =>
      toBuildKey(root, readConfig({ ...live, [name]: value })),
    )
    expect(new Set([toBuildKey(root, readConfig(live)), toBuildKey(root, config), ...keys]).size).toBe(8)
    for (const [name, value] of Object.entries({
      PORT: '9',
      HOST: '0.0.0.0',
      DATA_DIR: 'd',
      RPC_URL: 'https://r.example',
      FACILITATOR_HEADERS: '{"a":"b"}',
      OWN_WALLETS: wallet,
    }))
      expect(toBuildKey(root, readConfig({ ...live, [name]: value }))).toBe(toBuildKey(root, readConfig(live)))
  })
})

describe('the key of the programs', () => {
  it('changes with their modules, but not with content, public files, pages or styles', () => {
    const before = readBuildInputs(root, config).program
    for (const name of ['content/posts/a.mdx', 'public/a.js', 'src/pages/index.astro', 'src/styles/a.css'])
      write(name, 'changed')
    expect(readBuildInputs(root, config).program).toBe(before)
    for (const name of ['functions/a.ts', 'game-server/host/main.ts', 'site.config.ts', 'package-lock.json']) {
      const last = readBuildInputs(root, config).program
      write(name, 'changed')
      expect(readBuildInputs(root, config).program).not.toBe(last)
    }
  })
})

describe('the earlier build that an incremental build starts from', () => {
  it('has a key that changes with everything except posts', () => {
    const before = toGroundKey(root, config)
    write('content/posts/a.mdx', 'changed')
    write('content/posts/b.mdx', 'new')
    write('README.md', 'changed')
    expect(toGroundKey(root, config)).toBe(before)
    const others = Object.keys(inputs).filter((name) => !name.startsWith('content/posts'))
    const beside = ['content/posts/a.png', 'content/posts/more/a.mdx', 'content/pages/a.mdx', 'LICENSE', 'package.json']
    const keys = [...others, ...beside].map((name) => {
      write(name, 'changed')
      return toGroundKey(root, config)
    })
    expect(new Set([before, ...keys]).size).toBe(1 + others.length + beside.length)
    expect(toGroundKey(root, readConfig({ BASE_URL: 'https://x.example' }))).not.toBe(keys.at(-1))
  })

  it('is the newest intact one with the same key', async () => {
    const given: (string | undefined)[] = []
    let damaged = false
    const build = () =>
      ensureBuild(config, {
        root,
        log: () => {},
        async runBuild({ outDir, earlier }) {
          given.push(earlier)
          mkdirSync(outDir, { recursive: true })
          writeFileSync(buildFiles(outDir).manifest, damaged ? '{' : '{}')
        },
      })
    const folders = [await build()]
    for (const text of ['two', 'three']) {
      write('content/posts/a.mdx', text)
      folders.push(await build())
    }
    damaged = true
    write('content/posts/a.mdx', 'four')
    await build()
    write('content/posts/a.mdx', 'five')
    await build()
    write('src/pages/index.astro', 'changed')
    await build()
    expect(given).toEqual([undefined, folders[0], folders[1], folders[2], folders[2], undefined])
  })
})

describe('the memory check of a build', () => {
  it('grows with the number of posts, and warns when less is available', async () => {
    const available = vi.spyOn(process, 'availableMemory').mockReturnValue(1300 * 1024 ** 2)
    const said: string[] = []
    const build = () =>
      ensureBuild(config, {
        root,
        log: (line) => said.push(line),
        async runBuild({ outDir }) {
          mkdirSync(outDir, { recursive: true })
          writeFileSync(buildFiles(outDir).manifest, '{}')
        },
      })
    try {
      await build()
      expect(said.join()).not.toContain('memory')
      for (let post = 0; post < 3000; post++) writeFileSync(join(root, `content/posts/${post}.mdx`), '')
      await build()
      expect(said.join()).toContain('the build takes about 1340 MB of memory')
    } finally {
      available.mockRestore()
    }
  })
})

describe('the environment of a build', () => {
  it.each([
    {},
    live,
    { ...live, FACILITATOR_URL: 'self', FACILITATOR_PRIVATE_KEY: key },
    { PORT: '5000', GAME_PORT: '1' },
  ])('gives Astro the same public settings, and no secret: %j', (variables) => {
    const outer = readConfig(variables)
    const env = toBuildEnvironment(outer, {
      ...variables,
      PATH: '/bin',
      FACILITATOR_HEADERS: '{"authorization":"secret"}',
    })
    expect(toBuildKey(root, readConfig(env))).toBe(toBuildKey(root, outer))
    expect(JSON.stringify(env)).not.toMatch(/secret|0x1{64}/)
    expect(env).toMatchObject({ PATH: '/bin', ASTRO_TELEMETRY_DISABLED: '1' })
  })
})

describe('ensureBuild', () => {
  const lines: string[] = []
  let built: string[]
  const ensure = (more: { env?: Record<string, string>; runBuild?: () => void } = {}) =>
    ensureBuild(readConfig(more.env ?? {}), {
      root,
      log: (line) => lines.push(line),
      async runBuild({ outDir }) {
        built.push(outDir)
        mkdirSync(buildFiles(outDir).client, { recursive: true })
        more.runBuild?.()
      },
    })
  const folders = () => readdirSync(join(root, '.build')).filter((name) => /^[0-9a-f]{24}/.test(name))
  beforeEach(() => {
    built = []
    lines.length = 0
  })

  it('builds once, in a temporary folder, and later returns the existing build', async () => {
    const folder = await ensure()
    expect(await ensure()).toBe(folder)
    expect(built).toEqual([`${folder}.tmp-${process.pid}`])
    expect(existsSync(`${folder}.tmp-${process.pid}`)).toBe(false)
    expect(lines[0]).toBe('building the site (about 15 seconds)')
    expect(readBuildFacts(folder)).toMatchObject({
      key: toBuildKey(root, config),
      baseUrl: config.baseUrl,
      mode: 'sandbox',
    })
  })

  it('says when the next scheduled post comes out', async () => {
    const post = (line: string, draft = false) => `---\n${line}\ndraft: ${draft}\n---\nText.`
    expect(readBuildFacts(await ensure()).nextPostAt).toBeUndefined()
    write('content/posts/far.mdx', post('publishedAt: 2199-02-01'))
    write('content/posts/near.mdx', post("publishedAt: '2199-01-01T10:00:00+01:00'"))
    write('content/posts/out.mdx', post('publishedAt: 2001-01-01'))
    write('content/posts/draft.mdx', post('publishedAt: 2198-01-01', true))
    expect(readBuildFacts(await ensure()).nextPostAt).toBe('2199-01-01T09:00:00.000Z')
  })

  it('lets two processes that start together share one build', async () => {
    const [a, b] = await Promise.all([ensure(), ensure()])
    expect(a).toBe(b)
    expect(built).toHaveLength(1)
    expect(lines).toContain('waiting for another build of this folder to finish')
  })

  it('leaves nothing of a failed build, and tries again next time', async () => {
    const fail = () => {
      throw new BuildError('no')
    }
    await expect(ensure({ runBuild: fail })).rejects.toThrow(BuildError)
    expect(folders()).toEqual([])
    await ensure()
    expect(folders()).toHaveLength(1)
  })

  it('begins in an empty folder, even if a process with the same id was killed during the same build', async () => {
    const left = join(root, '.build', `${toBuildKey(root, config)}.tmp-${process.pid}`, 'client/left')
    mkdirSync(dirname(left), { recursive: true })
    writeFileSync(left, 'half')
    const folder = await ensure({ runBuild: () => expect(existsSync(left)).toBe(false) })
    expect(built).toEqual([`${folder}.tmp-${process.pid}`])
  })

  it('never stores a build under a key whose inputs changed meanwhile', async () => {
    let runs = 0
    const folder = await ensure({ runBuild: () => void (runs++ === 0 && write('content/posts/a.mdx', '# later')) })
    expect(built).toHaveLength(2)
    expect(folder).toBe(join(root, '.build', toBuildKey(root, config)))
    await expect(ensure({ env: { PORT: '1' }, runBuild: () => write('content/n.mdx', `${runs++}`) })).rejects.toThrow(
      'try again',
    )
  })

  it('keeps the newest two builds and those in use by living processes, and removes the rest', async () => {
    mkdirSync(join(root, '.build', `${'0'.repeat(24)}.tmp-999999999`), { recursive: true })
    const used: string[] = []
    for (const port of ['1', '2', '3', '4']) {
      const folder = await ensure({ env: { PORT: port } })
      used.push(folder)
      // Only the first build stays pinned.
      if (port !== '1') rmSync(join(root, '.build/pins', `${folder.split('/').at(-1)}.${process.pid}`))
      utimesSync(buildFiles(folder).facts, Number(port), Number(port))
    }
    writeFileSync(join(root, '.build/pins', `${used[1]?.split('/').at(-1)}.999999999`), '')
    await ensure({ env: { PORT: '5' } })
    expect(used.map((folder) => existsSync(folder))).toEqual([true, false, false, true])
    await expect.poll(folders).toHaveLength(3)
  })
})

describe('a build in use', () => {
  it('is pinned until all its users have released it', () => {
    const folder = join(root, '.build', 'a')
    const pins = () => readdirSync(join(root, '.build/pins'))
    const [one, two] = [pinBuild(folder), pinBuild(folder)]
    one()
    expect(pins()).toEqual([`a.${process.pid}`])
    two()
    expect(pins()).toEqual([])
  })
})

describe('the build lock', () => {
  it('is released when its holder dies, in any way', async () => {
    const file = join(root, 'lock.db')
    const holder = `
      import { withBuildLock } from ${JSON.stringify(new URL('../../src/build/build-lock.ts', import.meta.url).href)}
      await withBuildLock(${JSON.stringify(file)}, () => {}, async () => process.kill(process.pid, 'SIGKILL'))`
    const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', holder])
    expect(signal).toBe('SIGKILL')
    const waits: string[] = []
    expect(
      await withBuildLock(
        file,
        () => waits.push('waited'),
        async () => 'mine',
      ),
    ).toBe('mine')
    expect(waits).toEqual([])
  })

  it('is released when the work throws', async () => {
    const file = join(root, 'lock.db')
    await expect(
      withBuildLock(
        file,
        () => {},
        () => Promise.reject(new Error('no')),
      ),
    ).rejects.toThrow('no')
    expect(
      await withBuildLock(
        file,
        () => {},
        async () => 1,
      ),
    ).toBe(1)
  })
})
