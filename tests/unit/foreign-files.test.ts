import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'

/** A user of this machine that is neither root nor owns anything here. */
const nobody = 65_534

/** Only root can be somebody else for a while, and only where that one can read the code. */
const canTry =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ['src/core/sha256.ts'], { uid: nobody, gid: nobody }).status === 0

let dataDir: string
beforeEach(async () => {
  // Another user gets to it: the folder that tests are given is for one alone.
  dataDir = mkdtempSync('/tmp/farthing-foreign-')
  await (await openLedgerDatabase(join(dataDir, 'ledger.db'))).destroy()
  writeFileSync(join(dataDir, 'receipts.key'), 'a key', { mode: 0o600 })
  for (const file of ['', 'ledger.db']) chownSync(join(dataDir, file), nobody, nobody)
})
afterEach(() => rmSync(dataDir, { recursive: true }))

/** What a program of that user hears, as JSON. */
function asNobody(body: string): unknown {
  const imports = [
    `import { openFolderStore } from './src/backups/folder-store.ts'`,
    `import { openLedgerDatabase } from './src/storage/open-ledger-database.ts'`,
    `import { keepPrivate } from './src/storage/private-files.ts'`,
    `import { makeFolderCheck } from './src/health/check-folder.ts'`,
    `import { toSaidText } from './src/core/said-text.ts'`,
    `import { readFileSync } from 'node:fs'`,
    `const dataDir = process.argv[1]`,
  ]
  const source = `${imports.join('\n')}\nconsole.log(JSON.stringify(await (async () => { ${body} })()))`
  const options = { uid: nobody, gid: nobody, encoding: 'utf8', env: { PATH: process.env['PATH'] } } as const
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source, dataDir], options)
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

// As after a command that was run as root, which left files of its own in the folder of the shop.
describe.runIf(canTry)('files of another user in the data folder', () => {
  it('are named where the ledger is one of them, with what makes the folder whole', () => {
    chownSync(join(dataDir, 'ledger.db'), 0, 0)
    const open = `return openLedgerDatabase(dataDir + '/ledger.db').then(() => 'opened', ({ message }) => message)`
    expect(asNobody(open)).toBe(
      `the ledger ${dataDir}/ledger.db cannot be used: ${dataDir}/ledger.db is not for this user; give all of it to the user that the shop runs as: chown -R USER ${dataDir}`,
    )
    chownSync(join(dataDir, 'ledger.db'), nobody, nobody)
    expect(asNobody(open)).toBe('opened')
    chmodSync(dataDir, 0o500)
    chownSync(dataDir, 0, 0)
    expect(asNobody(open)).toContain('the folder cannot be written')
  })

  it('do not let a backup be taken for gone whose folder may be read and not entered', () => {
    const backup = join(dataDir, 'backups/hourly/2026-11-22T090000Z')
    mkdirSync(backup, { recursive: true })
    writeFileSync(join(backup, 'manifest.json'), '{}', { mode: 0o644 })
    const list = `return openFolderStore(dataDir + '/backups').list('').then((files) => files.length, ({ code }) => code)`
    expect(asNobody(list)).toBe(1)
    chmodSync(backup, 0o744)
    expect(asNobody(list)).toBe('EACCES')
  })

  it('are told of at start, and not as if others could use them', () => {
    const notes = asNobody(`const notes = []; await keepPrivate(dataDir, (note) => notes.push(note)); return notes`)
    expect(notes).toEqual([
      `in ${dataDir} this user may not use receipts.key; give all of it to the user that the shop runs as: chown -R USER ${dataDir}`,
    ])
  })

  it('are found by the doctor', () => {
    const run = `return makeFolderCheck(dataDir).run()`
    expect(asNobody(run)).toEqual({
      is: 'failure',
      sentence: 'In the data folder this user may not use receipts.key: another user ran a program there.',
      advice: `Give all of it to the user that the shop runs as: chown -R USER ${dataDir}.`,
    })
    chownSync(join(dataDir, 'receipts.key'), nobody, nobody)
    expect(asNobody(run)).toMatchObject({ is: 'ok' })
  })

  it('are not keys of ours that nobody may write, and links that lead nowhere', () => {
    chownSync(join(dataDir, 'receipts.key'), nobody, nobody)
    chmodSync(join(dataDir, 'receipts.key'), 0o400)
    symlinkSync(join(dataDir, 'gone'), join(dataDir, 'products'))
    const notes = `const notes = []; await keepPrivate(dataDir, (note) => notes.push(note)); return notes`
    expect(asNobody(notes)).toEqual([])
    expect(asNobody(`return makeFolderCheck(dataDir).run()`)).toMatchObject({ is: 'ok' })
  })

  it('end a program with what to do about them', () => {
    expect(
      asNobody(`try { readFileSync(dataDir + '/receipts.key') } catch (error) { return toSaidText(error) }`),
    ).toMatch(/receipts\.key'; run this as the user that it belongs to, or give it to the one that runs this/)
  })
})
