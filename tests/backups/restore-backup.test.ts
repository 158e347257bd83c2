import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { gameMigrations } from '../../game-server/storage/game-migrations.ts'
import { checkBackup } from '../../src/backups/check-backup.ts'
import { unpackFile } from '../../src/backups/check-files.ts'
import { finishRestore } from '../../src/backups/finish-restore.ts'
import { openFolderStore } from '../../src/backups/folder-store.ts'
import { DamagedBackup } from '../../src/backups/manifest.ts'
import { restoreBackup } from '../../src/backups/restore-backup.ts'
import { makeWalletSessions } from '../../src/owners/wallet-sessions.ts'
import { makeUsedSignIns } from '../../src/payments/sign-in/used-sign-ins.ts'
import { makeOwner } from '../../src/storage/lease-owner.ts'
import { ledgerMigrations } from '../../src/storage/ledger-migrations.ts'
import { sqlitePlace } from '../../src/storage/move/sqlite-place.ts'
import { StorageFailed } from '../../src/storage/objects/storage-failed.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { backUpShop, makeShopToBackUp, newFolder, sell } from '../support/backed-up-shop.ts'
import { figure } from '../support/figures.ts'
import { compiled } from '../support/run-program.ts'
import { openTestGame, openTestLedger, openTestOauth } from '../support/test-databases.ts'

const at = Date.UTC(2026, 10, 22, 9)
const known = { 'ledger.db': Object.keys(ledgerMigrations), 'game.db': Object.keys(gameMigrations) }
const say = (): void => {}

/** A shop with a backup, and then three more sales, one of them with a file, so that the two states differ. */
async function makeTwoTimes() {
  const dataDir = await makeShopToBackUp()
  const folder = newFolder()
  const prefix = await backUpShop(dataDir, folder)
  const then = read(dataDir)
  await sell(dataDir, [10, 11, 12])
  return { dataDir, folder, prefix, then, now: read(dataDir), store: openFolderStore(folder) }
}

/** The tables with what wallets are signed in with, which a restore empties. */
const signIns = ['used_sign_in', 'wallet_session']

/** Every row of both databases that a restore brings back, every product and the keys. */
function read(dataDir: string) {
  const rows = ['ledger.db', 'game.db'].map((name) => {
    const db = new DatabaseSync(join(dataDir, name), { readOnly: true })
    const tables = db.prepare(`select name from sqlite_schema where type = 'table' order by name`).all()
    const kept = tables.filter(({ name: table }) => !signIns.includes(String(table)))
    const all = kept.map(({ name: table }) => db.prepare(`select * from "${table}"`).all())
    db.close()
    return all
  })
  const products = readdirSync(join(dataDir, 'products')).sort()
  return {
    rows,
    products,
    keys: ['receipts', 'resume-tokens'].map((name) => readFileSync(join(dataDir, `${name}.key`), 'utf8')),
  }
}

function sumOf(folder: string): string {
  const sum = createHash('sha256')
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
    sum.update(path).update(existsSync(join(folder, path, '.')) ? '' : readFileSync(join(folder, path)))
  return sum.digest('hex')
}

const run = (args: readonly string[], env: Record<string, string>) =>
  new Promise<{ code: number | string | null | undefined; said: string }>((resolve) => {
    const options = { env: { ...compiled(), PATH: process.env['PATH'] ?? '', ...env } }
    execFile(process.execPath, ['src/commands/restore.ts', ...args], options, (error, out, err) =>
      resolve({ code: error?.code ?? 0, said: `${out}${err}` }),
    )
  })

it('puts everything back as it was, and keeps what it replaced', async () => {
  const { dataDir, store, prefix, then, now } = await makeTwoTimes()
  mkdirSync(join(dataDir, 'audio'))
  const aside = await restoreBackup({ dataDir, store, prefix, known, now: at, say })
  expect(aside).toBe(join(dataDir, 'replaced-2026-11-22T090000Z'))
  expect(read(dataDir)).toEqual(then)
  expect(read(aside)).toEqual(now)
  expect(readdirSync(dataDir).sort()).toEqual([
    'audio',
    'game.db',
    'ledger.db',
    'products',
    'receipts.key',
    'replaced-2026-11-22T090000Z',
    'resume-tokens.key',
  ])
  // A second restore in the same second gets another folder.
  expect(await restoreBackup({ dataDir, store, prefix, known, now: at, say })).not.toBe(aside)
  expect(read(aside)).toEqual(now)
})

it('replaces the write-ahead log of a killed program together with its database', async () => {
  const { dataDir, store, prefix, then } = await makeTwoTimes()
  // What a kill leaves: rows that are only in the log.
  const killed = newFolder()
  const open = new DatabaseSync(join(dataDir, 'ledger.db'))
  open.exec(`pragma journal_mode = wal; pragma wal_autocheckpoint = 0; insert into readiness (id, at) values (7, 7)`)
  cpSync(dataDir, killed, { recursive: true })
  open.close()
  expect(existsSync(join(killed, 'ledger.db-wal'))).toBe(true)
  await restoreBackup({ dataDir: killed, store, prefix, known, now: at, say })
  expect(read(killed)).toEqual(then)
})

it('changes nothing for a damaged backup, for one of a newer program, and while a program is running', async () => {
  const { dataDir, folder, store, prefix } = await makeTwoTimes()
  const before = sumOf(dataDir)
  const attempt = (knows = known) => restoreBackup({ dataDir, store, prefix, known: knows, now: at, say })
  const old = { ...known, 'ledger.db': known['ledger.db'].slice(0, 2) }
  await expect(attempt(old)).rejects.toThrow(/made by a newer program .*003_players_and_store in ledger.db/)

  const file = join(folder, prefix, 'game.db.zst')
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.with(100, (bytes[100] ?? 0) ^ 1))
  await expect(attempt()).rejects.toThrow('game.db of the backup is damaged')
  const told = await run([prefix, '--dry-run'], { DATA_DIR: dataDir, BACKUP_DIR: folder })
  expect(told.said).toMatch(
    /^game\.db of the backup is damaged: .* It was not restored; npm run restore lists the backup/,
  )
  writeFileSync(file, bytes)

  await expect(
    restoreBackup({ dataDir, store, prefix: 'daily/2026-11-22T090000Z', known, now: at, say }),
  ).rejects.toThrow('there is no backup daily/2026-11-22T090000Z')
  expect(sumOf(dataDir)).toBe(before)

  const program = await openTestLedger(dataDir)
  await expect(attempt()).rejects.toThrow(/a program uses .*ledger.db; stop it first/)
  await program.destroy()
  expect(readdirSync(dataDir).filter((name) => /^\.restore|^replaced|^restore/.test(name))).toEqual([])
  await attempt()
})

it('can be finished from wherever it was cut off, and until then no program opens the databases', async () => {
  const { dataDir, store, prefix, then, now } = await makeTwoTimes()
  const cut = (line: string) => {
    if (line === 'putting it in place') throw new Error('the power went')
  }
  await expect(restoreBackup({ dataDir, store, prefix, known, now: at, say: cut })).rejects.toThrow('the power went')
  const names = ['ledger.db', 'game.db', 'products', 'receipts.key', 'resume-tokens.key']
  const staging = readdirSync(dataDir).find((name) => name.startsWith('.restore-')) ?? ''
  const aside = 'replaced-2026-11-22T090000Z'
  // Each name is at one of three steps. Whatever the order of the steps, the state is one of these.
  for (let steps = 0; steps < 3 ** names.length; steps += figure(24, 1)) {
    const folder = newFolder()
    cpSync(dataDir, folder, { recursive: true })
    mkdirSync(join(folder, aside))
    for (const [index, name] of names.entries()) {
      const step = Math.floor(steps / 3 ** index) % 3
      if (step > 0) renameSync(join(folder, name), join(folder, aside, name))
      if (step > 1) renameSync(join(folder, staging, name), join(folder, name))
    }
    await expect(openTestLedger(folder)).rejects.toThrow(/run npm run restore to finish it/)
    await expect(restoreBackup({ dataDir: folder, store, prefix, known, now: at, say })).rejects.toThrow('not finished')
    if (steps > 0) expect(await finishRestore(folder)).toBe(join(folder, aside))
    // The command finishes it as well, whatever its arguments are.
    else expect((await run([], { DATA_DIR: folder })).said).toMatch(/^finished the interrupted restore/)
    expect(read(folder)).toEqual(then)
    expect(read(join(folder, aside))).toEqual(now)
    expect(readdirSync(folder)).not.toContain(staging)
    expect(await finishRestore(folder)).toBeUndefined()
    rmSync(folder, { recursive: true })
  }
})

it('has changed nothing if a kill left its plan empty, and after the command programs open the data folder again', async () => {
  const dataDir = newFolder()
  writeFileSync(join(dataDir, 'restore.json'), '')
  await expect(openTestLedger(dataDir)).rejects.toThrow(/run npm run restore to finish it/)
  expect((await run([], { DATA_DIR: dataDir })).said).toMatch(/^the interrupted restore had changed nothing/)
  await (await openTestLedger(dataDir)).destroy()
  rmSync(dataDir, { recursive: true })
})

it('leaves the tables of an older program to the next start, which migrates them', async () => {
  const dataDir = newFolder()
  const folder = newFolder()
  const older = Object.fromEntries(Object.entries(ledgerMigrations).slice(0, 3))
  const old = await openDatabase(join(dataDir, 'ledger.db'), {
    what: 'ledger',
    schema: 'ledger',
    durability: 'full',
    migrations: older,
  })
  await old.destroy()
  const prefix = await backUpShop(dataDir, folder)
  rmSync(dataDir, { recursive: true })
  mkdirSync(dataDir)
  await restoreBackup({ dataDir, store: openFolderStore(folder), prefix, known, now: at, say })
  const db = await openTestLedger(dataDir)
  expect(await db.selectFrom('cup_run').selectAll().execute()).toEqual([])
  await db.destroy()
})

it('signs wallets out, and accepts no sign-in message that may have been used before', async () => {
  const dataDir = await makeShopToBackUp()
  const folder = newFolder()
  const clock = { ms: at }
  const now = () => clock.ms
  const request = (cookie: string) => new Request('http://farthing.test', { headers: { cookie } })
  const open = async () => {
    const db = await openTestLedger(dataDir)
    return {
      db,
      sessions: makeWalletSessions({ db, now, baseUrl: 'http://farthing.test' }),
      ...makeUsedSignIns({ db, now }),
    }
  }
  const before = await open()
  const [cookie = ''] = (await before.sessions.begin('0xabc')).split(';')
  expect(await before.sessions.find(request(cookie))).toBe('0xabc')
  const prefix = await backUpShop(dataDir, folder)
  const message = { nonce: 'n', issuedAt: new Date(clock.ms) }
  clock.ms += 60_000
  expect(await before.use('0xabc', message)).toBe(true)
  await before.sessions.end(request(cookie))
  await before.db.destroy()

  await restoreBackup({ dataDir, store: openFolderStore(folder), prefix, known, now: clock.ms, say })
  const after = await open()
  expect(await after.sessions.find(request(cookie))).toBeUndefined()
  expect(await after.use('0xabc', message)).toBe(false)
  clock.ms += 1
  expect(await after.use('0xabc', { nonce: 'm', issuedAt: new Date(clock.ms) })).toBe(true)
  await after.db.destroy()
  for (const each of [dataDir, folder]) rmSync(each, { recursive: true })
})

it('restores no permission of a program, but its registration', async () => {
  const dataDir = await makeShopToBackUp()
  const folder = newFolder()
  const prefix = await backUpShop(dataDir, folder)
  const db = await openTestOauth(dataDir)
  const common = { id_hash: 'h', payload: '{}', expires_at: 4e12, created_at: 0 }
  for (const kind of ['Client', 'Grant', 'AccessToken', 'RefreshToken'])
    await db
      .insertInto('oauth_record')
      .values({ kind, ...common })
      .execute()
  await db.destroy()
  await restoreBackup({ dataDir, store: openFolderStore(folder), prefix, known, now: at, say })
  const restored = await openTestOauth(dataDir)
  expect(await restored.selectFrom('oauth_record').select('kind').execute()).toEqual([{ kind: 'Client' }])
  await restored.destroy()
})

it('makes a data folder usable again from which the books had been moved away', async () => {
  const dataDir = await makeShopToBackUp()
  const folder = newFolder()
  const prefix = await backUpShop(dataDir, folder)
  await (await openTestOauth(dataDir)).destroy()
  const files = sqlitePlace(dataDir, { ledger: openTestLedger, oauth: openTestOauth, game: openTestGame })
  const moved = await files.hold()
  await moved.setMark({ is: 'moved', to: 'the database farthing at db:5432' })
  await moved.release()
  for (const open of [openTestLedger, openTestOauth, openTestGame])
    await expect(open(dataDir)).rejects.toThrow('the books were moved to the database farthing at db:5432')
  await restoreBackup({ dataDir, store: openFolderStore(folder), prefix, known, now: at, say })
  for (const open of [openTestLedger, openTestOauth, openTestGame]) await (await open(dataDir)).destroy()
})

it('lists backups, says what one would change without changing it, and restores it, on the command line', async () => {
  const { dataDir, folder, prefix, then } = await makeTwoTimes()
  const env = { DATA_DIR: dataDir, BACKUP_DIR: folder }
  const listed = await run([], env)
  expect(listed.said).toMatch(/^backup +age +size +sales +newest sale\n/)
  expect(listed.said).toMatch(new RegExp(`^${prefix} +\\d+ \\w+ +1\\.6 MB +4 +20\\d\\d-`, 'm'))

  const before = [sumOf(dataDir), sumOf(folder)]
  const told = await run([prefix, '--dry-run'], env)
  expect(told.said).toMatch(/^ledger sale +7 +4 {2}\*$/m)
  expect(told.said).toMatch(/^ledger sum of sale\.amount +700000 +400000 {2}\*$/m)
  expect(told.said).toMatch(/^game realm +1 +1$/m)
  expect(told.said).toMatch(/^newest sale +\S+Z +\S+Z {2}\*$/m)
  expect(told.said).toMatch(/^product files +2 +1 {2}\*$/m)
  expect([sumOf(dataDir), sumOf(folder)]).toEqual(before)

  writeFileSync(join(dataDir, 'owner'), makeOwner())
  const refused = await run([prefix], env)
  expect(refused).toMatchObject({ code: 1, said: expect.stringMatching(/^another npm start \(process \d+\) uses/) })
  rmSync(join(dataDir, 'owner'))
  const restored = await run([prefix], env)
  expect(restored.code, restored.said).toBe(0)
  expect(restored.said).toMatch(/what was there before is in .*\/replaced-/)
  expect(read(dataDir)).toEqual(then)
})

it.each([
  ['was never filled', Buffer.alloc(0), []],
  [
    'is damaged',
    Buffer.alloc(8192, 7),
    ['oauth.db cannot be read: it is set aside, and programs have to register again'],
  ],
])('sets a sign-in database aside that %s, so that it does not prevent a restore', async (_, bytes, told) => {
  const { dataDir, store, prefix, then } = await makeTwoTimes()
  writeFileSync(join(dataDir, 'oauth.db'), bytes, { mode: 0o600 })
  const said: string[] = []
  const aside = await restoreBackup({ dataDir, store, prefix, known, now: at, say: (line) => said.push(line) })
  expect(read(dataDir)).toEqual(then)
  expect(existsSync(join(dataDir, 'oauth.db'))).toBe(false)
  expect(readFileSync(join(aside, 'oauth.db'))).toEqual(bytes)
  expect(said.filter((line) => line.includes('oauth.db'))).toEqual(told)
})

it('fails if a program has opened a database while the backup was unpacked', async () => {
  const { dataDir, store, prefix, now } = await makeTwoTimes()
  let program: Awaited<ReturnType<typeof openTestLedger>> | undefined
  // As systemd does, two seconds after the site was killed instead of stopped.
  const restart = async (line: string) => {
    if (line === 'unpacking and comparing') program = await openTestLedger(dataDir)
  }
  const begun: Promise<void>[] = []
  const restoring = restoreBackup({
    ...{ dataDir, store, prefix, known, now: at },
    say: (line) => void begun.push(restart(line)),
  })
  await expect(restoring).rejects.toThrow(/a program uses .*ledger.db; stop it first/)
  await Promise.all(begun)
  await program?.destroy()
  expect(read(dataDir)).toEqual(now)
  expect(readdirSync(dataDir).filter((name) => /^\.restore|^replaced|^restore/.test(name))).toEqual([])
})

it('says what a restore would change when the current database is damaged', async () => {
  const { dataDir, folder, prefix } = await makeTwoTimes()
  writeFileSync(join(dataDir, 'ledger.db'), Buffer.alloc(8192, 7))
  const told = await run([prefix, '--dry-run'], { DATA_DIR: dataDir, BACKUP_DIR: folder })
  expect(told.said).toMatch(/^ledger +damaged +whole {2}\*$/m)
  expect(told.said).toMatch(/^ledger sale +none +4 {2}\*$/m)
  expect(told.said).toMatch(/^game realm +1 +1$/m)
  expect(told.code).toBe(0)
})

it('says that the disk is full, and not that the backup cannot be read', async () => {
  const { dataDir, folder, store, prefix } = await makeTwoTimes()
  const before = sumOf(dataDir)
  const { files } = await checkBackup(store, prefix)
  const [ledger] = files.filter(({ name }) => name === 'ledger.db')
  const scratch = newFolder()
  symlinkSync('/dev/full', join(scratch, 'ledger.db'))
  const unpacked = ledger ? unpackFile(store, prefix, ledger, scratch) : Promise.resolve()
  await expect(unpacked).rejects.toThrow(/^ENOSPC/)

  // A damaged file is still called damaged, and a missing one unreadable.
  const file = join(folder, prefix, 'ledger.db.zst')
  truncateSync(file, 1000)
  await expect(restoreBackup({ dataDir, store, prefix, known, now: at, say })).rejects.toThrow(DamagedBackup)
  rmSync(file)
  await expect(restoreBackup({ dataDir, store, prefix, known, now: at, say })).rejects.toThrow(
    'ledger.db of the backup cannot be read',
  )
  expect(sumOf(dataDir)).toBe(before)
})

it('says that the storage does not respond, and not that the backup cannot be read', async () => {
  const { dataDir, store, prefix } = await makeTwoTimes()
  const away = () => Promise.reject(new StorageFailed('unavailable', 'did not answer in time'))
  const restoring = restoreBackup({ dataDir, store: { ...store, holds: away }, prefix, known, now: at, say })
  await expect(restoring).rejects.toThrow(/^the storage did not answer in time$/)
})
