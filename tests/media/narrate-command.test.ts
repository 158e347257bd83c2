import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { narrateHere } from '../../src/commands/narrate-here.ts'
import { narrateToFolder } from '../../src/commands/narrate-to-folder.ts'
import { readConfig } from '../../src/config/config.ts'
import { makeJobRuns } from '../../src/jobs/job-runs.ts'
import { makeOwner } from '../../src/storage/lease-owner.ts'
import { testGameUrl } from '../support/running-service.ts'
import { testBaseUrl } from '../support/running-site.ts'
import { writeSpokenPosts } from '../support/spoken-posts.ts'
import { openTestLedger } from '../support/test-databases.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const newFolder = () => mkdtempSync(join(tmpdir(), 'farthing-narrate-'))

describe('npm run narrate', () => {
  const dataDir = newFolder()

  /** Runs the command on the build under test. */
  const narrate = (...args: string[]) =>
    new Promise<{ code: number; lastLine: string | undefined }>((resolve) => {
      const env = { ...process.env, BASE_URL: testBaseUrl, GAME_URL: testGameUrl, PORT: '0', DATA_DIR: dataDir }
      execFile(process.execPath, ['src/commands/narrate.ts', ...args], { cwd: root, env }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, lastLine: (stdout + stderr).trim().split('\n').at(-1) }),
      )
    })

  it('says why it skips a post', async () => {
    expect(await narrate('--post', 'anzen-na-saishikou')).toEqual({
      code: 0,
      lastLine: 'skipped    anzen-na-saishikou: the embedded engine speaks English, not "ja"',
    })
  })

  it('does not narrate while another process does', async () => {
    const db = await openTestLedger(dataDir)
    const run = await makeJobRuns({ db, owner: makeOwner(), now: Date.now }).begin({ job: 'media-scan', dueAt: 0 })
    expect(run).toHaveProperty('fence')
    expect(await narrate()).toEqual({
      code: 1,
      lastLine: `another process (${process.pid}) is narrating already; its narrations can be heard as they are finished`,
    })
    await db.destroy()
  })

  it.each([
    [['--post', 'no-such-post'], 'no published post named no-such-post'],
    [['--speed', '9', '--out', 'x'], '--speed must be a number from 0.5 to 2'],
    [['--voice', 'English_DeepMan'], '--voice and --speed need --out'],
  ])('names the fault of %j', async (args, reason) => {
    expect(await narrate(...args)).toEqual({ code: 1, lastLine: expect.stringContaining(reason) })
  })
})

describe('what it makes', () => {
  const privateFolder = newFolder()
  const post = { title: 'A post', author: 'A', language: 'en', contentMarkdown: 'A sentence & another.' }
  const posts = [
    { ...post, slug: 'new' },
    { ...post, slug: 'old' },
  ]
  writeSpokenPosts(privateFolder, posts)

  /** The output with every storage key as `…`, and the number of progress messages. */
  async function listen(
    work: (ears: { say: (line: string) => void; onProgress: () => void }) => Promise<void>,
  ): Promise<{ said: string[]; steps: number }> {
    const said: string[] = []
    let steps = 0
    await work({
      say: (line) => said.push(line.replace(/-[0-9a-f]{16}\b/, '-…').replace(/\d+ s/, 'n s')),
      onProgress: () => {
        steps += 1
      },
    })
    return { said, steps }
  }

  it('is stored once, where the site plays it, newest first', async () => {
    const dataDir = newFolder()
    const config = readConfig({ DATA_DIR: dataDir })
    const { signal } = new AbortController()
    const run = (only?: string) => listen((ears) => narrateHere({ ...ears, privateFolder, config, only, signal }))
    expect(await run('old')).toEqual({ said: ['narrated   old-….mp3 (n s)'], steps: 2 })
    expect((await run()).said).toEqual(['narrated   new-….mp3 (n s)', 'unchanged  old-….mp3'])
    expect(readdirSync(join(dataDir, 'audio'))).toHaveLength(4)
  })

  it('is exported as files to the folder that was named, with transcripts', async () => {
    const folder = join(newFolder(), 'out')
    const reading = { album: 'A site', voiceId: 'English_DeepMan', speed: 2 }
    const run = () => listen((ears) => narrateToFolder({ ...ears, privateFolder, folder, reading, only: 'new' }))
    expect((await run()).said).toEqual(['narrated   new-….mp3', `the files are in ${folder}`])
    expect((await run()).said).toEqual(['unchanged  new-….mp3', `the files are in ${folder}`])
    const files = readdirSync(folder).toSorted()
    expect(files.map((name) => extname(name))).toEqual(['.json', '.mp3', '.vtt'])
    const [json = '', , vtt = ''] = files.map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(JSON.parse(json)).toMatchObject({ version: '1.0.0', segments: [{ body: 'A post' }, {}] })
    expect(vtt).toMatch(/^WEBVTT\n[\s\S]*A sentence &amp; another\.\n$/)
  })
})
