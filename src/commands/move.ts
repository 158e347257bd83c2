// `npm run move`: moves the databases from SQLite files to PostgreSQL, or back.

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../config/config.ts'
import { databaseUrl } from '../config/database-url.ts'
import { toSaidText } from '../core/said-text.ts'
import type { Place } from '../storage/move/books.ts'
import { assertMovable, moveBooks, undoMark } from '../storage/move/move-books.ts'
import { postgresPlace } from '../storage/move/postgres-place.ts'
import { sqlitePlace } from '../storage/move/sqlite-place.ts'
import { StorageError } from '../storage/storage-error.ts'
import { holdFolder } from './hold-folder.ts'
import { openBooks } from './open-books.ts'
import { sayMoved } from './say-table.ts'

const help = `npm run move -- --to postgres        moves the books from the SQLite files in DATA_DIR to the database of DATABASE_URL
npm run move -- --to postgres://…    the same, to this database
npm run move -- --to sqlite          moves them back, from the database of DATABASE_URL to files in DATA_DIR
npm run move -- --to … --dry-run     says what would be moved, and changes nothing
npm run move -- --undo               takes a move back: programs may use the old place again. That is the database of
                                     DATABASE_URL if it is set, else the SQLite files in DATA_DIR. Whatever was sold
                                     at the new place is not in the old one

Stop the programs first. The books are the databases of the ledger, of sign-ins and of the game. They are copied, read
again at the new place, and compared. Then the old place is marked, so that no program uses it by mistake; nothing else
is changed there. If a move is interrupted, run the same command again: it starts from the beginning. Keys, large
products, narrations and images are not moved. They stay in DATA_DIR, or in the storage of STORAGE_URL.`

const say = (line: string): void => console.log(line)

interface Way {
  readonly from: Place
  readonly to: Place
}

function readAddress(text: string): string {
  const read = databaseUrl.safeParse(text)
  if (!read.success) throw new Error(`the address after --to ${read.error.issues[0]?.message}`)
  return read.data
}

function readWay(to: string | undefined, config: Config, files: Place): Way {
  const named = config.databaseUrl()
  if (to === 'sqlite') {
    if (named === undefined) throw new Error('set DATABASE_URL to the database that the books are in now')
    return { from: postgresPlace(named, openBooks), to: files }
  }
  if (to === 'postgres') {
    if (named === undefined) throw new Error('set DATABASE_URL to the database that the books shall move to')
    return { from: files, to: postgresPlace(named, openBooks) }
  }
  if (!to?.includes('://')) throw new Error(`--to must be postgres, sqlite or postgres://…:\n\n${help}`)
  const url = readAddress(to)
  if (named !== undefined && named !== url)
    throw new Error(
      'DATABASE_URL names another database. Unset it if the books are in SQLite files; to move between two databases, use the tools of PostgreSQL',
    )
  return { from: files, to: postgresPlace(url, openBooks) }
}

async function tell({ from, to }: Way): Promise<void> {
  const source = await from.look()
  try {
    const target = await to.look()
    try {
      const isCutOff = await assertMovable({ from, to }, source, target)
      say(`from ${from.name} to ${to.name} would be moved (nothing is changed now):`)
      for (const table of await source.tables()) {
        const count = await source.count(table)
        if (count > 0n) say(`${table.database}.${table.name}  ${count}`)
      }
      if (isCutOff) say('an earlier move there was interrupted; what it left would be deleted first')
    } finally {
      await target.release()
    }
  } finally {
    await source.release()
  }
}

async function move(dataDir: string, way: Way): Promise<void> {
  holdFolder(dataDir)
  const tables = await moveBooks({ ...way, say })
  sayMoved(tables, say)
  say(`moved to ${way.to.name}. Now ${way.to.setting}: for the site, the game host and every command`)
  say('keys, large products, narrations and images stay where they are: DATA_DIR, or the storage of STORAGE_URL')
  say(
    `what was in ${way.from.name} is still there, but programs refuse to use it; npm run move -- --help says how to undo that`,
  )
}

interface Said {
  readonly to?: string | undefined
  readonly undo: boolean
  readonly 'dry-run': boolean
}

async function carryOut({ to, undo, 'dry-run': isDryRun }: Said): Promise<void> {
  const config = readConfig(process.env)
  const dataDir = resolve(config.dataDir)
  const files = sqlitePlace(dataDir, openBooks)
  const named = config.databaseUrl()
  if (undo) {
    const place = named === undefined ? files : postgresPlace(named, openBooks)
    holdFolder(dataDir)
    await undoMark(place)
    say(`programs may use ${place.name} again`)
    return
  }
  const way = readWay(to, config, files)
  try {
    await (isDryRun ? tell(way) : move(dataDir, way))
  } catch (error) {
    // Messages about an address name DATABASE_URL, which it usually comes from; here it came from `--to`.
    if (named !== undefined || !(error instanceof StorageError)) throw error
    throw new StorageError(error.message.replace('in DATABASE_URL', 'after --to'), { cause: error })
  }
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      undo: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) say(help)
  else if (positionals.length > 0) throw new Error(`write --to before the place:\n\n${help}`)
  else await carryOut(values)
} catch (error) {
  // A mistyped option may contain an address with a password.
  console.error(toSaidText(error).replaceAll(/\bpostgres(?:ql)?:\/\/\S+/g, 'postgres://…'))
  process.exitCode = 1
}
