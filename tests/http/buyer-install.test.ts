import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type BuyerBundle, makeBuyerBundle } from '../../src/build/buyer-bundle.ts'
import { toInstallScript } from '../../src/discovery/install/install-script.ts'
import { runProgram } from '../support/run-program.ts'
import { openTruthfulShop, type TruthfulShop, testWallet } from '../support/truthful-shop.ts'

const shell = ['dash', 'sh'].find((name) => spawnSync(name, ['-c', ':']).status === 0) ?? 'sh'
const skill = '---\nname: demo\ndescription: A demo.\n---\n\nTouch nothing: $(touch made)\n'
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')

let bundle: BuyerBundle
let shop: TruthfulShop
let home: string
beforeAll(async () => {
  bundle = await makeBuyerBundle(join(import.meta.dirname, '../..'))
})
beforeEach(async () => {
  shop = await openTruthfulShop()
  home = mkdtempSync(join(tmpdir(), 'farthing-home-'))
  shop.product.bytes = Buffer.from(skill)
  shop.files.set('/buy.mjs', bundle.code.toString())
})
afterEach(() => shop.close())

const script = (text = skill) =>
  toInstallScript({
    slug: 'demo',
    title: 'A demo',
    priceMicroUsd: 100_000n,
    skillSha256: sha256(text),
    buyerSha256: bundle.sha256,
    shop: { baseUrl: shop.url, payTo: shop.terms.payTo, network: shop.terms.network, mode: 'live' },
  })
const nodeFolder = dirname(process.execPath)
const withKey = { FARTHING_PRIVATE_KEY: testWallet.privateKey }
/** Runs `curl … | sh -s -- args`. */
const install = (args: readonly string[] = [], env: Record<string, string> = withKey, by = shell, text = skill) =>
  runProgram(by, ['-s', '--', ...args], {
    cwd: home,
    env: { PATH: `${nodeFolder}:${process.env.PATH ?? ''}`, HOME: home, TMPDIR: home, ...env },
    input: script(text),
  })
const folder = () => join(home, '.claude/skills/demo')
const installed = () => readFileSync(join(folder(), 'SKILL.md'), 'utf8')
/** Everything in the home but the state of the buyer and the skills. */
const litter = () => readdirSync(home).filter((name) => !['.local', '.claude', 'bin', 'key'].includes(name))

/** A skill with two programs, one of which has a name that leads out of its folder. */
const withPrograms = `${skill}
\`\`\`ts
// buy.ts
console.log('one')
\`\`\`

\`\`\`sh
# ../../out.sh
true
\`\`\`

\`\`\`sh
curl -sS https://shop.example/
\`\`\`
`

describe('the programs of a skill', () => {
  it.each(['dash', 'sh', 'zsh'].filter((name) => spawnSync(name, ['-c', ':']).error === undefined))(
    'are installed beside its text, which names them, and are recognised by the next run (%s)',
    async (by) => {
      shop.product.bytes = Buffer.from(withPrograms)
      const first = await install(['--agent', 'claude'], withKey, by, withPrograms)
      expect([first.status, first.stderr]).toEqual([0, expect.stringContaining('its programs (1) in')])
      expect(installed()).toBe(
        withPrograms.replace(/^```ts\n[\s\S]*?^```$/m, 'It is beside this file: `scripts/buy.ts`.'),
      )
      expect(readdirSync(folder()).toSorted()).toEqual(['SKILL.md', 'assets', 'scripts'])
      expect(readFileSync(join(folder(), 'scripts/buy.ts'), 'utf8')).toBe("// buy.ts\nconsole.log('one')\n")
      expect(readFileSync(join(folder(), 'assets/as-sold.md'), 'utf8')).toBe(withPrograms)
      const again = await install(['--agent', 'claude'], withKey, by, withPrograms)
      expect([again.stderr, shop.settlements]).toEqual([expect.stringContaining('already installed'), 1])
      expect(litter()).toEqual([])
    },
  )

  it('are kept as .bak when somebody has changed them and a new version comes', async () => {
    shop.product.bytes = Buffer.from(withPrograms)
    mkdirSync(join(folder(), 'scripts'), { recursive: true })
    writeFileSync(join(folder(), 'scripts/buy.ts'), 'mine')
    expect((await install(['--agent', 'claude'], withKey, shell, withPrograms)).status).toBe(0)
    expect(readFileSync(join(folder(), 'scripts/buy.ts.bak'), 'utf8')).toBe('mine')
  })

  it.each(['cp', 'mv'])(
    'and its text are put in place by the next run, which pays nothing, if the first run failed to (%s)',
    async (tool) => {
      mkdirSync(folder(), { recursive: true })
      writeFileSync(join(folder(), 'SKILL.md'), 'an earlier version')
      // The shop delivers a skill again to its owner.
      shop.extensions = { 'sign-in-with-x': {} }
      shop.product.bytes = Buffer.from(withPrograms)
      const bin = join(home, 'bin')
      mkdirSync(bin)
      // Fails as on a full disk: `mv` always, `cp` from the second file on.
      const broken = `#!/bin/sh\nif [ -e '${bin}/used' ] || [ ${tool} = mv ]; then exit 1; fi\ntouch '${bin}/used'\nexec /bin/${tool} "$@"\n`
      writeFileSync(join(bin, tool), broken, { mode: 0o755 })
      const PATH = `${bin}:${nodeFolder}:${process.env.PATH ?? ''}`
      const first = await install(['--agent', 'claude'], { ...withKey, PATH }, shell, withPrograms)
      expect([first.status, first.stderr]).toEqual([6, expect.stringContaining('the same command')])
      expect([installed(), litter()]).toEqual(['an earlier version', []])
      const next = await install(['--agent', 'claude'], withKey, shell, withPrograms)
      expect([next.status, next.stderr]).toEqual([0, expect.stringContaining('its programs (1) in')])
      expect(installed()).toContain('It is beside this file: `scripts/buy.ts`.')
      expect(readFileSync(join(folder(), 'SKILL.md.bak'), 'utf8')).toBe('an earlier version')
      expect(readFileSync(join(folder(), 'scripts/buy.ts'), 'utf8')).toContain('console.log')
      expect([shop.settlements, new Set(shop.signatures).size]).toEqual([1, 1])
    },
  )
})

describe('the install script', () => {
  it('pays once, installs the bytes that were sold and cleans up', async () => {
    const { status, stdout, stderr } = await install(['--agent', 'claude'])
    expect(stderr).toContain(`installed ${join(folder(), 'SKILL.md')}`)
    expect({ status, stdout: stdout.toString(), text: installed() }).toEqual({ status: 0, stdout: '', text: skill })
    expect(stderr).toContain('real money')
    expect(stderr).not.toContain(testWallet.privateKey.slice(2))
    expect([shop.settlements, readdirSync(folder()), litter()]).toEqual([1, ['SKILL.md'], []])
    const again = await install(['--agent', 'claude'])
    expect(again).toMatchObject({ status: 0, stderr: expect.stringContaining('already installed') })
    expect(shop.signatures).toHaveLength(1)
  })

  it('does the same under zsh, and fails there as it does elsewhere', async ({ skip }) => {
    if (spawnSync('zsh', ['-c', ':']).status !== 0) skip('there is no zsh here')
    const refused = await install(['--sideways'], withKey, 'zsh')
    expect(refused).toMatchObject({ status: 64, stderr: expect.stringContaining('unknown option: --sideways') })
    expect(refused.stderr).not.toContain('read-only')
    const { status, stderr } = await install(['--agent', 'claude'], withKey, 'zsh')
    expect({ status, text: installed() }).toEqual({ status: 0, text: skill })
    expect(stderr).toContain(`installed ${join(folder(), 'SKILL.md')}`)
    expect([shop.settlements, readdirSync(folder()), litter()]).toEqual([1, ['SKILL.md'], []])
  })

  it('pays once when the reply is lost', async () => {
    shop.faults = [{ is: 'lost reply' }]
    expect((await install(['--agent', 'claude'])).status).toBe(0)
    expect([installed(), shop.settlements, new Set(shop.signatures).size]).toEqual([skill, 1, 1])
  })

  it('pays once when it is run again after its buyer was killed in the middle', async () => {
    shop.faults = [{ is: 'silence' }]
    const node = join(home, 'bin', 'node')
    mkdirSync(dirname(node))
    writeFileSync(node, `#!/bin/sh\necho $$ >'${home}/bin/pid'\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 })
    shop.onPayment = () => process.kill(Number(readFileSync(join(home, 'bin/pid'), 'utf8')), 'SIGKILL')
    const PATH = `${dirname(node)}:${process.env.PATH ?? ''}`
    const killed = await install(['--agent', 'claude'], { ...withKey, PATH })
    expect(killed.status).toBe(137)
    expect([existsSync(folder()), litter()]).toEqual([false, []])
    shop.onPayment = () => {}
    expect((await install(['--agent', 'claude'])).status).toBe(0)
    expect([installed(), shop.settlements, new Set(shop.signatures).size]).toEqual([skill, 1, 1])
    expect(readdirSync(join(home, '.local/state/farthing/purchases'))).toEqual([])
  })

  it('keeps a text that was there before as .bak', async () => {
    await install(['--agent', 'claude'])
    writeFileSync(join(folder(), 'SKILL.md'), 'my own notes')
    const { status, stderr } = await install(['--agent', 'claude'])
    expect({ status, text: installed() }).toEqual({ status: 0, text: skill })
    expect(stderr).toContain('SKILL.md.bak')
    expect(readFileSync(join(folder(), 'SKILL.md.bak'), 'utf8')).toBe('my own notes')
  })

  it('takes a key file, and a folder with a blank in its name', async () => {
    writeFileSync(join(home, 'key'), testWallet.privateKey)
    const { status } = await install(['--key-file', 'key'], { SKILLS_DIR: join(home, '.claude', 'my skills') })
    expect(status).toBe(0)
    expect(readFileSync(join(home, '.claude/my skills/demo/SKILL.md'), 'utf8')).toBe(skill)
  })

  it('reports why nothing was bought, and leaves no files', async () => {
    shop.terms.amount = '110000'
    expect((await install()).status).toBe(3)
    expect((await install([], { ...withKey, MAX_USD: '0.109999' })).status).toBe(3)
    shop.faults = [{ is: 'refusal', reason: 'insufficient_balance' }]
    const refused = await install([], { ...withKey, MAX_USD: '0.11' })
    expect(refused).toMatchObject({ status: 5, stderr: expect.stringContaining('at risk     $0.11') })
    expect(refused.stderr).not.toMatch(/nothing was (paid|charged)|no money moved/i)
    expect([shop.settlements, readdirSync(join(home, '.agents/skills')), litter()]).toEqual([0, [], ['.agents']])
  })

  it('pays nothing when the buying program is not the one it was written for', async () => {
    shop.files.set('/buy.mjs', `${bundle.code} `)
    expect(await install()).toMatchObject({ status: 1, stderr: expect.stringContaining('this run signed nothing') })
    shop.files.delete('/buy.mjs')
    expect(await install()).toMatchObject({ status: 1, stderr: expect.stringContaining('This run signed nothing') })
    expect(shop.signatures).toEqual([])
  })

  it('installs nothing that is not the promised text', async () => {
    shop.product.bytes = Buffer.from('something else')
    const { status } = await install(['--agent', 'claude'])
    expect({ status, isThere: existsSync(folder()) }).toEqual({ status: 6, isThere: false })
  })

  it('says which Node it needs', async () => {
    const bin = mkdtempSync(join(home, 'bin-'))
    for (const tool of ['cat', 'cut', 'sha256sum', 'curl']) {
      const path = spawnSync('sh', ['-c', `command -v ${tool}`])
        .stdout.toString()
        .trim()
      if (path) symlinkSync(path, join(bin, tool))
    }
    const bare = await runProgram(`/bin/${shell}`, ['-s'], {
      cwd: home,
      env: { PATH: bin, HOME: home, ...withKey },
      input: script(),
    })
    expect(bare).toMatchObject({ status: 1, stderr: expect.stringContaining('Node.js 20') })
  })
})
