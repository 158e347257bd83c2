import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { figure } from '../support/figures.ts'
import { runProgram } from '../support/run-program.ts'
import { testBaseUrl, testBuild } from '../support/running-site.ts'
import { canMount, mountMemory, smallDisks } from '../support/small-disk.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const programs = {
  'npm start': () => ['src/commands/start.ts'],
  'the site program': () => ['src/site/main.ts', testBuild()],
}
type Program = keyof typeof programs
const everyProgram: readonly Program[] = ['npm start', 'the site program']

/** Starts a program with a data folder that it cannot use, and returns its exit status and what it writes to stderr. */
async function startIn(dataDir: string, program: Program): Promise<{ status: number | null; sentence: string }> {
  const { status, stdout, stderr } = await runProgram(process.execPath, programs[program](), {
    cwd: root,
    env: {
      PATH: process.env['PATH'] ?? '',
      BASE_URL: testBaseUrl,
      PORT: '0',
      DATA_DIR: dataDir,
      // Nothing listens there; the start fails at its folder before it connects.
      FACILITATOR_URL: 'http://127.0.0.1:9',
      RPC_URL: 'http://127.0.0.1:9',
    },
  })
  expect(stdout.toString()).toBe('')
  return { status, sentence: stderr.trim() }
}

const oneSentence = expect.not.stringMatching(/\n|\bat .*:\d+|Error:|E[A-Z]{4,}:|SQLITE/)

describe.each(everyProgram)('%s', (program) => {
  it('ends with one sentence when its folder cannot be made', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'farthing-start-'))
    writeFileSync(join(folder, 'file'), '')
    const dataDir = join(folder, 'file', 'data')
    const { status, sentence } = await startIn(dataDir, program)
    expect([status, sentence]).toEqual([1, oneSentence])
    expect(sentence).toContain(dataDir)
    expect(sentence).toContain('DATA_DIR')
    rmSync(folder, { recursive: true })
  })

  it.runIf(canMount)('ends with one sentence when its folder is read-only', async () => {
    const { folder, remove } = mountMemory('ro')
    try {
      for (const dataDir of [folder, join(folder, 'data')]) {
        const { status, sentence } = await startIn(dataDir, program)
        expect([status, sentence]).toEqual([1, oneSentence])
        expect(sentence).toContain(dataDir)
        expect(sentence).toContain('DATA_DIR')
      }
    } finally {
      remove()
    }
  })

  it.runIf(canMount)('ends with one sentence when the disk is full', async () => {
    const [, makeDisk] = smallDisks[0] ?? []
    const disk = makeDisk?.()
    try {
      disk?.fill(0)
      const { status, sentence } = await startIn(disk?.folder ?? '', program)
      expect([status, sentence]).toEqual([1, oneSentence])
      expect(sentence).toContain(disk?.folder)
      expect(sentence).toMatch(/disk .*is full/)
    } finally {
      disk?.remove()
    }
  })
})

/** By how many pages the free space differs from one try to the next. */
const apart = figure(6, 1)

describe.runIf(canMount)('a first start on a disk that is almost full', () => {
  it('can be repeated when there is space, wherever it ran out of it', async () => {
    const [, makeDisk] = smallDisks[0] ?? []
    const disk = makeDisk?.()
    if (!disk) throw new Error('there is no small disk')
    const outcomes = new Set<string>()
    try {
      for (let pages = 1; pages <= 110; pages += apart) {
        disk.fill(0, pages * 4096)
        const file = join(disk.folder, 'ledger.db')
        const first = await openLedgerDatabase(file).catch((error: Error) => error)
        outcomes.add(first instanceof Error ? first.message : 'opened')
        if (!(first instanceof Error)) await first.destroy()
        disk.free(0)
        const db = await openLedgerDatabase(file)
        expect(await db.selectFrom('sale').select('id').execute()).toEqual([])
        await db.destroy()
        for (const name of readdirSync(disk.folder)) rmSync(join(disk.folder, name), { recursive: true })
      }
    } finally {
      disk.remove()
    }
    // Some starts succeeded and some failed, so the range was wide enough, and this was the only message.
    const file = join(disk.folder, 'ledger.db')
    expect([...outcomes].sort()).toEqual([
      'opened',
      `the ledger ${file} cannot be used: the disk is full; free some space`,
    ])
  })
})
