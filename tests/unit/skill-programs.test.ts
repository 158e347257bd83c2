import { execFile, spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { findFreePort } from '../../src/sandbox/port.ts'
import { commandsOf, installSkill } from '../support/read-skill.ts'

const execute = promisify(execFile)

/** Installs a skill and returns the path of one of its programs. */
function load(slug: string, file: string, change?: (text: string) => string) {
  const { folder } = installSkill(slug, change)
  return { folder, file: join(folder, file) }
}
const skillText = (slug: string): string => readFileSync(`content/skills/${slug}/SKILL.md`, 'utf8')

describe.each(readdirSync('content/skills'))('the skill %s', (slug) => {
  const { folder, text } = installSkill(slug)

  it('takes an agent at most 5,000 tokens, its programs not included', () => {
    expect(countTokens(text.replace(/^---[\s\S]*?\n---\n/, ''))).toBeLessThanOrEqual(5000)
    const programs = [...text.matchAll(/^It is beside this file: `scripts\/(.+)`\.$/gm)].map(([, name = '']) => name)
    expect(programs.length).toBeGreaterThan(0)
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(programs))
  })
})

it('the skills have only shell commands that tests run', () => {
  const counts = readdirSync('content/skills').map((slug) => [slug, commandsOf(slug).length] as const)
  expect(counts.filter(([, count]) => count > 0)).toEqual([
    // Run in tests/http/skill-commands.test.ts.
    ['agent-ready-site', 7],
    ['feed-doctor', 2],
    // Run below.
    ['mcp-server-craft', 1],
    // Run in tests/http/skill-commands.test.ts.
    ['podcast-from-posts', 1],
    ['x402-buyer', 3],
  ])
  const fences = readdirSync('content/skills').flatMap((slug) => [...skillText(slug).matchAll(/^ *```(\w+)/gm)])
  expect(fences.filter(([, language = '']) => ['bash', 'console', 'shell', 'zsh'].includes(language))).toEqual([])
})

describe('the address guard in the skill about fetching', () => {
  /** The inputs in a row of its tables. */
  const inputsOf = (row: string): string[] => {
    const line =
      skillText('ssrf-safe-fetch')
        .split('\n')
        .find((each) => each.startsWith(`| ${row} |`)) ?? ''
    const cells = line.split(' | ').slice(1).join(' | ')
    return [...(cells.split('; ok')[0]?.matchAll(/`([^`]+)`/g) ?? [])].map(([, input = '']) => input)
  }

  it('refuses every address of its own tables, and allows the public ones', async () => {
    const { file } = load('ssrf-safe-fetch', 'guarded-fetch.ts')
    const { checkUrl, isPublicAddress } = await import(/* @vite-ignore */ file)
    const rows = [
      'loopback spellings',
      'IPv6 literals',
      'schemes',
      'user info',
      'ports',
      'special names',
      'broken names',
    ]
    for (const row of rows) {
      const inputs = inputsOf(row)
      expect(inputs.length, row).toBeGreaterThan(1)
      for (const input of inputs) expect(() => checkUrl(input), input).toThrow()
    }
    for (const row of ['false, IPv4', 'false, IPv6'])
      expect(inputsOf(row).filter((address) => isPublicAddress(address))).toEqual([])
    expect(inputsOf('true').filter((address) => !isPublicAddress(address))).toEqual([])
    expect(checkUrl('https://example.com:443/#x').href).toBe('https://example.com/')
  })
})

describe('the programs in the skill about SQLite', () => {
  const fewer = (text: string): string => text.replace('kills = 100', 'kills = 2').replaceAll('2000', '40')

  it('lose no acknowledged write when they are killed, and never read a damaged log as a whole one', async () => {
    const { folder } = load('sqlite-in-production', 'crash-parent.ts', fewer)
    const node = async (file: string) => (await execute(process.execPath, [file], { cwd: folder })).stdout
    expect(await node('crash-parent.ts')).toMatch(/kills: 2, acknowledged: [1-9]\d*, lost: 0/)
    expect(await node('torn-log.ts')).toMatch(/runs: 40, distinctPrefixes: \d+/)
  })
})

describe('the server in the skill about MCP', () => {
  const { folder, text } = installSkill('mcp-server-craft')
  writeFileSync(
    join(folder, 'shop.ts'),
    `import type { Shop } from './tools.ts'
const posts = Array.from({ length: 30 }, (_, at) => ({ slug: \`post-\${at}\`, title: 'On agents', excerpt: 'x', body: 'agents' }))
export const shop: Shop = {
  search: (_, offset, limit) => ({ total: posts.length, posts: posts.slice(offset, offset + limit) }),
  find: (slug) => posts.find((post) => post.slug === slug),
}`,
  )
  writeFileSync(
    join(folder, 'stdio.ts'),
    `import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { shop } from './shop.ts'
import { build } from './tools.ts'
serveStdio(() => build(shop))`,
  )

  it('passes its own test with a real client, in both protocol eras and over both transports', async () => {
    const { stdout } = await execute(process.execPath, ['--test', '--test-reporter=tap', 'client.test.ts'], {
      cwd: folder,
    })
    expect(stdout).toMatch(/^# pass 5\n# fail 0$/m)
  })

  it('answers a hand-written call', async () => {
    const port = await findFreePort()
    // Runs in a process of its own, because its package replaces the global Request class.
    const server = spawn(process.execPath, ['http.ts'], { cwd: folder, env: { PORT: String(port) }, stdio: 'ignore' })
    const [, call = ''] = /^```sh\n(curl[\s\S]*?)^```$/m.exec(text) ?? []
    const local = call
      .replace('curl', 'curl --retry 30 --retry-delay 1 --retry-connrefused')
      .replace('https://shop.example', `http://127.0.0.1:${port}`)
      .replaceAll('hello-world', 'post-7')
    const { stdout } = await execute('sh', ['-c', local]).finally(() => server.kill())
    expect(stdout).toContain('"slug":"post-7"')
  })
})

describe('the other programs in the skill about SQLite', () => {
  const { folder, text } = installSkill('sqlite-in-production')
  const use = (file: string) => import(/* @vite-ignore */ join(folder, file))

  it('take leases that detect their loss, and make backups that they can read', async () => {
    const [{ openDatabase, migrate }, { steps }, { jobs }, { backUp, verify }] = [
      await use('database.ts'),
      await use('schema.ts'),
      await use('jobs.ts'),
      await use('backup.ts'),
    ]
    const path = join(folder, 'live.db')
    const db = openDatabase(path)
    migrate(db, steps)
    db.prepare("insert into sale (payment_key, micros, sold_at) values ('k', 50000, 1)").run()
    let now = 1000
    const [one, other] = ['one', 'other'].map((owner) => jobs(db, owner, 100, () => now))
    db.prepare("insert into job (kind) values ('narrate')").run()
    const lease = one.take()
    expect([lease, other.take()]).toEqual([expect.objectContaining({ kind: 'narrate', fence: 1 }), undefined])
    now += 101
    const second = other.take()
    expect(() => one.finish(lease, '{}')).toThrow('lease lost')
    other.finish(second, '{}')
    expect(await backUp(path, join(folder, 'copy.db'))).toMatch(/^[0-9a-f]{64}$/)
    expect(verify(join(folder, 'copy.db'))).toBe('{"n":1,"micros":50000}')
    db.close()
  })

  it('search for any input', async () => {
    const { search } = await use('search.ts')
    const db = new DatabaseSync(':memory:')
    db.exec(/^```sql\n(create virtual table[\s\S]*?)^```$/m.exec(text)?.[1] ?? '')
    db.prepare("insert into page (title, body, url) values ('Tides', 'The sea & the moon', '/tides')").run()
    for (const odd of ['C++', "O'Reilly", 'a AND', '"', '', 'title:x*']) expect(search(db, odd)).toEqual([])
    expect(search(db, 'MOO')).toMatchObject([{ url: '/tides', excerpt: 'The sea &#38; the <mark>moon</mark>' }])
    db.close()
  })
})

describe('the HTML reader in the skill about fetching', () => {
  it('keeps the text and drops the rest', async () => {
    const { file } = load('ssrf-safe-fetch', 'html-to-text.ts')
    const { htmlToText } = await import(/* @vite-ignore */ file)
    expect(htmlToText('<h1>A &amp; b</h1><script>x()</script><p>c</p>', 100).trim()).toBe('A & b\n\nc')
  })
})

describe('the payment code in the skill about MCP', () => {
  it('asks for a payment, sells, and never asks again if money may have moved', async () => {
    const { file } = load('mcp-server-craft', 'paid.ts')
    const { paid } = await import(/* @vite-ignore */ file)
    const receipt = { success: true, transaction: '0x1', network: 'eip155:8453', payer: '0x2' }
    const work = async () => ({ content: [{ type: 'text', text: 'the goods' }] })
    const call = (is: string, payment?: object) => {
      const terms = (_: string, error: string) => ({ x402Version: 2, error, accepts: [{}] })
      const sell = async (...[, , , make]: [string, unknown, unknown, typeof work]) => ({
        settlement: { is, receipt, reason: 'no funds' },
        result: await make(),
      })
      const _meta = payment && { 'x402/payment': payment }
      return paid({ terms, sell }, 'export_posts', work)({}, { mcpReq: { _meta } })
    }
    expect(await call('settled')).toMatchObject({ isError: true, structuredContent: { error: 'payment required' } })
    expect(await call('settled', {})).toMatchObject({
      content: [{ text: 'the goods' }],
      _meta: { 'x402/payment-response': receipt },
    })
    expect(await call('refused', {})).toMatchObject({ structuredContent: { error: 'no funds' } })
    const unknown = await call('unknown', {})
    expect([unknown.isError, unknown.structuredContent]).toEqual([true, undefined])
  })
})
