import { constants, copyFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { buildFiles } from '../storage/build-folder.ts'
import { isWholeDatabase } from './is-whole-database.ts'

/** A text of the content, as the collections know it. */
interface Source {
  readonly filePath?: string | undefined
  readonly digest?: string | number | undefined
}

/** A kind of result that is computed from a text and can be stored as JSON. */
interface Kind<T> {
  readonly name: string
  readonly schema: z.ZodType<T>
  /** Whether the result depends on the text alone. Otherwise it is not kept, but made whenever it is requested. */
  readonly isKept?: (source: Source) => boolean
  /** Whether only this build can use it, so that it is not kept for later builds. */
  readonly isForThisBuild?: boolean
}

/** The name of the row that belongs to all posts together. */
const allPosts = 'all posts'

const digestsSchema = z.record(z.string(), z.string())
type Digests = z.output<typeof digestsSchema>
const rowSchema = z.object({ digest: z.string(), value: z.string() })

const openDatabase = (file: string, options: { readonly readOnly?: boolean } = {}) => {
  const db = new DatabaseSync(file, options)
  // Rows of several kilobytes: with their own order (rowid) and on large pages, to write them takes a quarter of the
  // time, and to find them a fifth.
  db.exec(`pragma page_size = 16384; create table if not exists text (
    file text not null, name text not null, digest text not null, value text not null, primary key (file, name)
  ) strict`)
  const select = db.prepare('select digest, value from text where file = ? and name = ?')
  return {
    db,
    find(file: string, name: string, digest: string): string | undefined {
      const row = rowSchema.optional().parse(select.get(file, name))
      return row?.digest === digest ? row.value : undefined
    },
  }
}

/** The database of an earlier build; undefined where it has none, or a damaged one. */
function openEarlier(file: string): (ReturnType<typeof openDatabase> & { readonly file: string }) | undefined {
  if (!isWholeDatabase(file)) return undefined
  try {
    const { db, find } = openDatabase(file, { readOnly: true })
    // Memory mapping takes half the time of reading, and is safe because nobody changes the file of a finished build.
    db.exec('pragma mmap_size = 1073741824')
    return { file, db, find }
  } catch {
    // It is a database of something else.
    return undefined
  }
}

/** The results of this build so far. They are on disk, because those of a large site together are large. */
function openStore(earlier: string | undefined) {
  // An empty name makes SQLite use a temporary file of this process, which it removes itself.
  const { db, find } = openDatabase('')
  const before = earlier === undefined ? undefined : openEarlier(earlier)
  /** The files whose digest is that of the earlier build, so that all rows about them stay valid. */
  const unchanged = new Set<string>()
  db.exec('begin')
  const insert = db.prepare('insert or replace into text values (?, ?, ?, ?)')
  /** The files with a row of this build, by the row's name. Most are asked for once, before there is one. */
  const made = new Map<string, Set<string>>()
  return {
    find(file: string, name: string, digest: string): string | undefined {
      const kept = before?.find(file, name, digest)
      if (kept === undefined) return made.get(name)?.has(file) ? find(file, name, digest) : undefined
      unchanged.add(file)
      return kept
    },
    keep(file: string, name: string, digest: string, value: string): void {
      insert.run(file, name, digest, value)
      made.set(name, (made.get(name) ?? new Set()).add(file))
    },
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

/** Copies the earlier build's database, keeps only the rows of unchanged texts, and adds the rows of this build. */
function writeOver(db: DatabaseSync, earlier: string, unchanged: ReadonlySet<string>, file: string): void {
  copyFileSync(earlier, file, constants.COPYFILE_FICLONE)
  db.exec('create temporary table unchanged (file text primary key) strict, without rowid')
  const name = db.prepare('insert into unchanged values (?)')
  for (const one of unchanged) name.run(one)
  db.prepare('attach ? as next').run(file)
  // No journal is needed: an interrupted build is made anew, and a damaged file is detected when it is opened.
  db.exec('pragma next.journal_mode = off; pragma next.synchronous = off')
  db.exec('delete from next.text where file not in (select file from unchanged)')
  db.exec('insert or replace into next.text select * from main.text')
  const count = (what: string) => Number(db.prepare(`pragma next.${what}`).get()?.[what])
  if (count('freelist_count') > count('page_count') / 2) db.exec('vacuum next')
  db.exec('detach next')
}

/**
 * Keeps results that are computed from single texts (`texts.db` of a build), so that each is made once in a build, and
 * a later build with the same ground key reads those of unchanged texts. Until `open` is called, as in development,
 * nothing is kept.
 */
export function openKeptTexts() {
  let store: ReturnType<typeof openStore> | undefined
  let earlier: string | undefined
  const temporary: string[] = []
  return {
    /** @param folder the folder of a finished build with the same ground key, if there is one */
    open(folder: string | undefined): void {
      store = openStore(folder && buildFiles(folder).texts)
      earlier = folder
    },
    /**
     * The folder of the earlier build, and the digests that `keepDigests` noted for it, if it was made from the same
     * posts.
     *
     * @param posts the digest of all posts
     */
    findDigests(posts: string): { readonly folder: string; readonly digests: Digests } | undefined {
      const found = store?.find('', allPosts, posts)
      if (found === undefined || earlier === undefined) return undefined
      return { folder: earlier, digests: digestsSchema.parse(JSON.parse(found)) }
    },
    /** Notes the digests of the private texts of this build, by name, for a later one from the same posts. */
    keepDigests(posts: string, digests: Digests): void {
      store?.keep('', allPosts, posts, JSON.stringify(digests))
    },
    /** Makes a function that returns the kept result of one kind for a text, or computes and keeps it. */
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
    /** Writes `texts.db` for later builds, and ends keeping. */
    write(outDir: string): void {
      store?.write(buildFiles(outDir).texts, temporary)
      store = undefined
    },
  }
}

/** The results of the build that this process makes, shared by its pages and the steps after them. */
export const keptTexts = openKeptTexts()
