import { constants, copyFileSync, existsSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { buildFiles } from '../storage/build-folder.ts'

/** A text of the content, as the collections know it. */
interface Source {
  readonly filePath?: string | undefined
  readonly digest?: string | number | undefined
}

/** What is made of a text; JSON can hold it. */
interface Kind<T> {
  readonly name: string
  readonly schema: z.ZodType<T>
  /** Whether it follows from the text alone; what is made of others is made whenever it is asked for. */
  readonly isKept?: (source: Source) => boolean
  /** Whether it is of use to this build only. */
  readonly isForThisBuild?: boolean
}

const rowSchema = z.object({ digest: z.string(), value: z.string() })

const openDatabase = (file: string, options: { readonly readOnly?: boolean } = {}) => {
  const db = new DatabaseSync(file, options)
  db.exec(`create table if not exists text (
    file text not null, name text not null, digest text not null, value text not null, primary key (file, name)
  ) strict, without rowid`)
  const select = db.prepare('select digest, value from text where file = ? and name = ?')
  return {
    db,
    find(file: string, name: string, digest: string): string | undefined {
      const row = rowSchema.optional().parse(select.get(file, name))
      return row?.digest === digest ? row.value : undefined
    },
  }
}

/** Nothing where an earlier build kept nothing; a damaged one has nothing to give. */
function openEarlier(file: string): (ReturnType<typeof openDatabase> & { readonly file: string }) | undefined {
  if (!existsSync(file)) return undefined
  try {
    const { db, find } = openDatabase(file, { readOnly: true })
    // Read where the system has it already, which takes half the time; nobody changes the file of a finished build.
    db.exec('pragma mmap_size = 1073741824')
    const [row] = db.prepare('pragma quick_check').all()
    if (row?.['quick_check'] === 'ok') return { file, db, find }
    db.close()
  } catch {
    // No database at all.
  }
  return undefined
}

/** What a build has made so far; on the disk, because all texts of a large site together are large. */
function openStore(earlier: string | undefined) {
  // Without a name it is a file of this process alone, which SQLite removes.
  const { db, find } = openDatabase('')
  const before = earlier === undefined ? undefined : openEarlier(earlier)
  /** The files of the texts of which something of before is of use, and so all. */
  const unchanged = new Set<string>()
  db.exec('begin')
  const insert = db.prepare('insert or replace into text values (?, ?, ?, ?)')
  return {
    find(file: string, name: string, digest: string): string | undefined {
      const kept = before?.find(file, name, digest)
      if (kept === undefined) return find(file, name, digest)
      unchanged.add(file)
      return kept
    },
    keep: (file: string, name: string, digest: string, value: string) => insert.run(file, name, digest, value),
    write(file: string, without: readonly string[]): void {
      const remove = db.prepare('delete from text where name = ?')
      for (const name of without) remove.run(name)
      db.exec('commit')
      rmSync(file, { force: true })
      if (before) writeOver(db, before.file, unchanged, file)
      else db.prepare('vacuum into ?').run(file)
      db.close()
      before?.db.close()
    },
  }
}

/** Writes what an earlier build kept of these texts, in a copy of its file, and over it what this one has made. */
function writeOver(db: DatabaseSync, earlier: string, unchanged: ReadonlySet<string>, file: string): void {
  copyFileSync(earlier, file, constants.COPYFILE_FICLONE)
  db.exec('create temporary table unchanged (file text primary key) strict, without rowid')
  const name = db.prepare('insert into unchanged values (?)')
  for (const one of unchanged) name.run(one)
  db.prepare('attach ? as next').run(file)
  // A build that was cut short is made anew, and what is damaged is found before it is read.
  db.exec('pragma next.journal_mode = off; pragma next.synchronous = off')
  db.exec('delete from next.text where file not in (select file from unchanged)')
  db.exec('insert or replace into next.text select * from main.text')
  const count = (what: string) => Number(db.prepare(`pragma next.${what}`).get()?.[what])
  if (count('freelist_count') > count('page_count') / 2) db.exec('vacuum next')
  db.exec('detach next')
}

/**
 * Keeps what is made of single texts (`texts.db` of a build), so that it is made once in a build, and a later build of
 * the same ground reads what is made of those that did not change. Until it is opened nothing is kept, for development.
 */
export function openKeptTexts() {
  let store: ReturnType<typeof openStore> | undefined
  const temporary: string[] = []
  return {
    /** @param folder of a finished build of the same ground, if there is one */
    open(folder: string | undefined): void {
      store = openStore(folder && buildFiles(folder).texts)
    },
    /** What takes texts of one kind from what is kept, or makes them. */
    openKind<T>({ name, schema, isKept = () => true, isForThisBuild = false }: Kind<T>) {
      if (isForThisBuild) temporary.push(name)
      const underWay = new Map<string, Promise<T>>()
      return async (source: Source, make: () => Promise<T>): Promise<T> => {
        const { filePath: file, digest } = source
        if (!store || file === undefined || digest === undefined || !isKept(source)) return make()
        const kept = store.find(file, name, `${digest}`)
        if (kept !== undefined) return schema.parse(JSON.parse(kept))
        const text = underWay.get(file) ?? make()
        underWay.set(file, text)
        const made = await text
        if (underWay.delete(file)) store.keep(file, name, `${digest}`, JSON.stringify(made))
        return made
      }
    },
    /** Writes down what later builds may read of this one. */
    write(outDir: string): void {
      store?.write(buildFiles(outDir).texts, temporary)
      store = undefined
    },
  }
}

/** Those of the build that this process makes, for its pages and the step after them. */
export const keptTexts = openKeptTexts()
