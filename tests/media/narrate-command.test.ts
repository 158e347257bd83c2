import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { testBaseUrl } from '../support/running-site.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const out = mkdtempSync(join(tmpdir(), 'farthing-narrate-'))

/** Runs the command over the tested build. */
const narrate = (...args: string[]) =>
  new Promise<{ code: number; text: string }>((resolve) => {
    const env = { ...process.env, BASE_URL: testBaseUrl, PORT: '0', DATA_DIR: out }
    execFile(
      process.execPath,
      ['src/setup/narrate.ts', '--out', out, ...args],
      { cwd: root, env },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, text: stdout + stderr }),
    )
  })

it('reads a post into an MP3 with transcripts, once, and says why it leaves one out', {
  timeout: 120_000,
}, async () => {
  const first = await narrate('--post', 'two-commands')
  expect([first.code, first.text]).toEqual([0, expect.stringMatching(/^narrated {3}two-commands-[0-9a-f]{16}\.mp3/m)])
  const files = readdirSync(out).toSorted()
  expect(files.map((name) => name.split('.').at(-1))).toEqual(['json', 'mp3', 'vtt'])
  expect(
    readFileSync(join(out, files[1] ?? ''))
      .subarray(0, 3)
      .toString(),
  ).toBe('ID3')
  expect(readFileSync(join(out, files[2] ?? ''), 'utf8')).toMatch(/^WEBVTT\n/)
  expect((await narrate('--post', 'two-commands')).text).toContain('unchanged')
  expect((await narrate('--post', 'anzen-na-saishikou')).text).toContain('skipped')
})

it('names what is wrong with its options', async () => {
  expect(await narrate('--post', 'no-such-post')).toMatchObject({
    code: 1,
    text: expect.stringContaining('no-such-post'),
  })
  expect(await narrate('--speed', '9')).toMatchObject({ code: 1, text: expect.stringContaining('--speed') })
})
