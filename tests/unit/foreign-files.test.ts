import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'

/** The uid of a user that is neither root nor the owner of any file here. */
const nobody = 65_534

/** Only root can switch to another user, who also has to be able to read the code. */
const canTry =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ['src/core/sha256.ts'], { uid: nobody, gid: nobody }).status === 0

let dataDir: string
beforeEach(async () => {
  // Another user has to be able to enter this folder, unlike the usual temporary folder of tests.
  dataDir = mkdtempSync('/tmp/farthing-foreign-')
  await (await openLedgerDatabase(join(dataDir, 'ledger.db'))).destroy()
  writeFileSync(join(dataDir, 'receipts.key'), 'a key', { mode: 0o600 })
  for (const file of ['', 'ledger.db']) chownSync(join(dataDir, file), nobody, nobody)
})
afterEach(() => rmSync(dataDir, { recursive: true }))

/** Runs this code as that user, and returns its result from JSON. */
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

// A command that was run as root leaves such files in the data folder.
describe.runIf(canTry)('files of another user in the data folder', () => {
  it('are reported if the ledger is one of them, with the command that repairs the folder', () => {
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

  it('do not make a backup look missing whose folder can be read but not entered', () => {
    const backup = join(dataDir, 'backups/hourly/2026-11-22T090000Z')
    mkdirSync(backup, { recursive: true })
    writeFileSync(join(backup, 'manifest.json'), '{}', { mode: 0o644 })
    const list = `return openFolderStore(dataDir + '/backups').list('').then((files) => files.length, ({ code }) => code)`
    expect(asNobody(list)).toBe(1)
    chmodSync(backup, 0o744)
    expect(asNobody(list)).toBe('EACCES')
  })

  it('are reported at start, though not as readable by others', () => {
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

  it('are not reported if they are our own read-only keys or broken links', () => {
    chownSync(join(dataDir, 'receipts.key'), nobody, nobody)
    chmodSync(join(dataDir, 'receipts.key'), 0o400)
    symlinkSync(join(dataDir, 'gone'), join(dataDir, 'products'))
    const notes = `const notes = []; await keepPrivate(dataDir, (note) => notes.push(note)); return notes`
    expect(asNobody(notes)).toEqual([])
    expect(asNobody(`return makeFolderCheck(dataDir).run()`)).toMatchObject({ is: 'ok' })
  })

  it('stop a program with a sentence that says what to do', () => {
    expect(
      asNobody(`try { readFileSync(dataDir + '/receipts.key') } catch (error) { return toSaidText(error) }`),
    ).toMatch(/receipts\.key'; run this as the user that it belongs to, or give it to the one that runs this/)
  })
})
