import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type InstallScriptFacts, toInstallScript } from '../../src/discovery/install/install-script.ts'

const facts = {
  slug: 'x402-buyer',
  title: 'Pay with x402',
  priceMicroUsd: 100_000n,
  skillSha256: 'a'.repeat(64),
  buyerSha256: 'b'.repeat(64),
  shop: {
    baseUrl: 'https://shop.example',
    payTo: '0x2222222222222222222222222222222222221402',
    network: 'eip155:8453',
    mode: 'live',
  },
} as const satisfies InstallScriptFacts

/** Taken from the system where it is installed; not a dependency. */
const linter = 'shellcheck'
const isHere = (program: string) => spawnSync(program, ['--help']).error === undefined
const newFolder = () => mkdtempSync(join(tmpdir(), 'farthing-install-'))

/** Runs a script as `curl … | sh -s -- args` does, in an empty home directory. */
function run(script: string, args: readonly string[] = [], env: Record<string, string> = {}, home = newFolder()) {
  const { status, stdout, stderr } = spawnSync('sh', ['-s', '--', ...args], {
    input: script,
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, ...env },
    encoding: 'utf8',
  })
  return { status, stdout, stderr, home }
}

describe('the install script', () => {
  it('contains the literal address of what it buys', () => {
    expect(toInstallScript(facts)).toContain('https://shop.example/skills/x402-buyer/raw')
  })

  it.each([
    ['sh', []],
    ['dash', []],
    ['busybox', ['sh']],
    ['bash', ['--posix']],
    ['zsh', []],
  ])('is valid syntax for %s', (shell, args) => {
    if (!isHere(shell)) return
    const { status, stderr } = spawnSync(shell, [...args, '-n'], { input: toInstallScript(facts), encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it.runIf(isHere(linter))('passes shellcheck without a warning', () => {
    const { status, stdout } = spawnSync(linter, ['-s', 'sh', '-'], {
      input: toInstallScript(facts),
      encoding: 'utf8',
    })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })

  it('without a key says what it costs, who is paid and how, pays nothing and writes nothing', () => {
    const { status, stderr, home } = run(toInstallScript(facts))
    expect(status).toBe(2)
    for (const part of ['$0.10', facts.shop.payTo, 'eip155:8453', 'real money', 'FARTHING_PRIVATE_KEY', '--key-file'])
      expect(stderr).toContain(part)
    expect(stderr).toContain('curl -fsSL https://shop.example/skills/x402-buyer/install | sh')
    expect(readdirSync(home)).toEqual([])
  })

  it('of a sandbox says that payments are simulated', () => {
    const { status, stderr } = run(toInstallScript({ ...facts, shop: { ...facts.shop, mode: 'sandbox' } }))
    expect(status).toBe(2)
    expect(stderr).toContain('simulated money')
    expect(stderr).not.toContain('real money')
  })

  it.each([
    [[], '.agents/skills'],
    [['--agent', 'claude'], '.claude/skills'],
    [['--agent=cursor'], '.cursor/skills'],
    [['--agent', 'codex'], '.codex/skills'],
    [['--agent', 'gemini'], '.gemini/skills'],
    [['--agent', 'copilot'], '.copilot/skills'],
    [['--agent', 'windsurf'], '.codeium/windsurf/skills'],
    [['--agent', 'opencode'], '.config/opencode/skills'],
  ])('with %j installs below ~/%s', (args, folder) => {
    const { stderr, home } = run(toInstallScript(facts), args)
    expect(stderr).toContain(`into     ${home}/${folder}/x402-buyer/SKILL.md`)
  })

  it.each([
    [['--project'], './.agents/skills'],
    [['--project', '--agent', 'claude'], './.claude/skills'],
    [['--agent', 'copilot', '--project'], './.github/skills'],
  ])('with %j installs into the project, below %s', (args, folder) => {
    expect(run(toInstallScript(facts), args).stderr).toContain(`into     ${folder}/x402-buyer/SKILL.md`)
  })

  it('uses SKILLS_DIR and CODEX_HOME', () => {
    const named = run(toInstallScript(facts), ['--agent', 'claude'], { SKILLS_DIR: 'my skills' })
    expect(named.stderr).toContain('into     my skills/x402-buyer/SKILL.md')
    const codex = run(toInstallScript(facts), ['--agent', 'codex'], { CODEX_HOME: '/opt/codex' })
    expect(codex.stderr).toContain('into     /opt/codex/skills/x402-buyer/SKILL.md')
  })

  it('finds Claude Code by itself if nothing else is set up', () => {
    const home = newFolder()
    mkdirSync(join(home, '.claude'))
    expect(run(toInstallScript(facts), [], {}, home).stderr).toContain(`${home}/.claude/skills/`)
    mkdirSync(join(home, '.agents'))
    expect(run(toInstallScript(facts), [], {}, home).stderr).toContain(`${home}/.agents/skills/`)
  })

  it.each([
    [['--agent', 'emacs'], "not 'emacs'"],
    [['--agent'], '--agent needs a value'],
    [['--colour'], 'unknown option: --colour'],
    [['--agent', '$(touch made)'], 'must be claude'],
  ])('refuses %j', (args, reason) => {
    const { status, stderr, home } = run(toInstallScript(facts), args)
    expect(status).toBe(64)
    expect(stderr).toContain(reason)
    expect(readdirSync(home)).toEqual([])
  })

  it('explains itself with --help', () => {
    const { status, stdout } = run(toInstallScript(facts), ['--help'])
    expect(status).toBe(0)
    for (const part of ['--agent', '--project', '--key-file', 'MAX_USD', 'SKILLS_DIR']) expect(stdout).toContain(part)
  })

  it('does nothing if its download was cut off anywhere', () => {
    const script = toInstallScript({ ...facts, shop: { ...facts.shop, baseUrl: 'http://127.0.0.1:9' } })
    const home = newFolder()
    for (let size = 1; size < script.length - 'main "$@"\n'.length; size += 211) {
      const { stdout, stderr } = run(script.slice(0, size), [], { FARTHING_PRIVATE_KEY: 'x' }, home)
      expect(stdout + stderr).not.toContain('skill    ')
    }
    expect(readdirSync(home)).toEqual([])
  })

  it('shows any title and never executes it', () => {
    const titles = [
      "it's",
      '$(touch made)',
      '`touch made`',
      "';touch made;'",
      'a\nb\u0000c',
      '\u001b[31mred',
      'naïve—“x”',
      '',
    ]
    for (const title of titles) {
      const { status, stderr, home } = run(toInstallScript({ ...facts, title }))
      expect(status).toBe(2)
      expect(stderr).toContain(`skill    x402-buyer: ${title.replace(/[^ -~]+/g, ' ').trim() || 'x402-buyer'}\n`)
      expect(readdirSync(home)).toEqual([])
    }
  })

  it.each([
    ['slug', { slug: "x'; touch made; '" }],
    ['slug in capitals', { slug: 'X' }],
    ['slug that climbs', { slug: '../x' }],
    ['slug of two lines', { slug: 'x\ny' }],
    ['long slug', { slug: 'x'.repeat(65) }],
    ['price', { priceMicroUsd: 0n }],
    ['checksum', { skillSha256: 'a'.repeat(63) }],
    ['checksum of the buyer', { buyerSha256: `${'b'.repeat(64)}\n` }],
  ])('is not generated with a wrong %s', (_, change) => {
    expect(() => toInstallScript({ ...facts, ...change })).toThrow(TypeError)
  })

  it.each([
    ['a quote in the address', { baseUrl: "https://shop.example'" }],
    ['a path in the address', { baseUrl: 'https://shop.example/$(id)' }],
    ['another protocol', { baseUrl: 'file:///etc' }],
    ['credentials', { baseUrl: 'https://a:b@shop.example' }],
    ['a name as wallet', { payTo: 'shop.eth' }],
    ['a network that is none', { network: 'base' }],
  ])('is not generated with %s', (_, change) => {
    expect(() => toInstallScript({ ...facts, shop: { ...facts.shop, ...change } })).toThrow(TypeError)
  })

  it('skips the purchase if the file is already installed', () => {
    const home = newFolder()
    const folder = join(home, '.agents', 'skills', 'x402-buyer')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'SKILL.md'), 'abc')
    const skillSha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    const { status, stderr } = run(toInstallScript({ ...facts, skillSha256 }), [], {}, home)
    expect(status).toBe(0)
    expect(stderr).toContain('already installed')
  })
})
