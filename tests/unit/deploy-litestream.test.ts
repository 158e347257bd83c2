import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { databases } from '../../src/storage/move/books.ts'
import { openLedgerDatabase } from '../../src/storage/open-ledger-database.ts'
import { isHere } from '../support/deployed-proxies.ts'

/** Taken from the system where it is installed; not a dependency. */
const analyzer = 'systemd-analyze'
const text = readFileSync('deploy/litestream.yml', 'utf8')
const unit = readFileSync('deploy/systemd/farthing-litestream.service', 'utf8')
const docs = readFileSync('docs/backups.md', 'utf8')
const goLive = readFileSync('docs/go-live.md', 'utf8')

/** The databases in the Litestream configuration, with its documented field names. */
const { dbs } = z
  .strictObject({
    snapshot: z.strictObject({ interval: z.string(), retention: z.string() }),
    dbs: z.array(
      z.strictObject({
        path: z.string(),
        replica: z.strictObject({
          type: z.literal('s3'),
          bucket: z.string(),
          path: z.string(),
          region: z.string(),
          endpoint: z.string(),
          'sync-interval': z.literal('1s'),
        }),
      }),
    ),
  })
  .parse(parse(text))

it('replicates each backed-up database from its real path to a path of its own', () => {
  // The sign-ins of oauth.db are not backed up, because programs can ask for them again.
  const shipped = databases.filter((name) => name !== 'oauth')
  expect(dbs.map(({ path }) => path)).toEqual(shipped.map((name) => `\${DATA_DIR}/${name}.db`))
  expect(dbs.map(({ replica }) => replica.path)).toEqual(shipped.map((name) => `\${LITESTREAM_PATH}/${name}`))
})

it('reads all settings from the environment file of its unit, and contains no key', () => {
  const [, file = ''] = /^EnvironmentFile=(.*)$/m.exec(unit) ?? []
  const given = new RegExp(`cat > ${file} <<END\\n([\\s\\S]*?)END\\n`).exec(docs)?.[1] ?? ''
  const names = [...given.matchAll(/^(\w+)=/gm)].map(([, name]) => name)
  const asked = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name)
  expect([...names].sort()).toEqual(
    [...new Set(asked), 'LITESTREAM_ACCESS_KEY_ID', 'LITESTREAM_SECRET_ACCESS_KEY'].sort(),
  )
  const folder = /^DATA_DIR=(.*)$/m.exec(given)?.[1]
  expect(goLive).toContain(`\nDATA_DIR=${folder}\n`)
  expect(docs).toContain(`${folder}/$name.db\n`)
})

it('runs as the user of the programs, with this configuration, and starts before and stops after them', () => {
  const [, file = ''] = /^ExecStart=\S+ replicate -config \/opt\/farthing\/(\S+)$/m.exec(unit) ?? []
  expect(existsSync(file)).toBe(true)
  expect(unit).toMatch(/^Before=farthing-site.service farthing-game.service$/m)
  for (const line of ['User=farthing', 'StateDirectory=farthing', 'StateDirectoryMode=0700']) {
    expect(unit).toContain(`\n${line}\n`)
    expect(readFileSync('deploy/systemd/farthing-site.service', 'utf8')).toContain(`\n${line}\n`)
  }
})

it('passes systemd-analyze verify without a message', ({ skip }) => {
  skip(!isHere(analyzer), `${analyzer} is not installed here; .ci/run installs it`)
  const folder = mkdtempSync(join(tmpdir(), 'farthing-unit-'))
  const copy = join(folder, 'farthing-litestream.service')
  writeFileSync(copy, unit.replace('/usr/bin/litestream', process.execPath))
  const { status, stderr } = spawnSync(analyzer, ['verify', '--man=no', copy], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

it('can read a write-ahead log that no program truncates first, and is waited for', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'farthing-shipped-'))
  const db = await openLedgerDatabase(join(folder, 'ledger.db'))
  const shipper = new DatabaseSync(join(folder, 'ledger.db'))
  // A restarted log has another salt in its header.
  const header = () => readFileSync(join(folder, 'ledger.db-wal')).subarray(0, 32)
  /** Writes six megabytes, more than SQLite leaves in a log without readers. */
  const write = async (round: number) => {
    for (let at = 0; at < 40; at++)
      await db
        .insertInto('used_sign_in')
        .values({ id_hash: `${round} ${at} ${'x'.repeat(150_000)}`, until: at })
        .execute()
  }
  await write(0)
  shipper.exec('begin; select count(*) from used_sign_in')
  const before = header()
  await write(1)
  await write(2)
  expect(header()).toEqual(before)
  shipper.exec('commit')
  await write(3)
  await write(4)
  expect(header()).not.toEqual(before)
  expect(shipper.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' })
  expect((await sql`pragma busy_timeout`.execute(db)).rows).toEqual([{ timeout: 5000 }])
  shipper.close()
  await db.destroy()
  rmSync(folder, { recursive: true })
})
