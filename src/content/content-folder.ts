import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Loader } from 'astro/loaders'
import type { z } from 'zod'
import { sha256 } from '../core/sha256.ts'
import { readTarget } from '../http/canonical-path.ts'
import { placeOf, readFrontMatter } from './front-matter.ts'
import { WritingError } from './writing-error.ts'
import type { Fault } from './writing-tree.ts'

/** The files of one collection, and the rules for them. */
export interface ContentFolder<Schema extends z.ZodType> {
  base: `./${string}`
  pattern: string
  schema: Schema
  /**
   * Finds faults that the schema cannot see, because they concern the file itself. The sentence is appended to file and
   * line, and begins with the field that is wrong.
   */
  check?: (data: z.output<Schema>, id: string, file: string, source: string) => string | undefined
  /** Finds faults in the text. */
  findFaults?: (source: string, file: string) => Fault[]
  /** Finds misplaced files, as sentences. */
  findStrays?: () => string[]
  /** Whether a text is compiled where it is shown, if at all, and not bundled with the pages. */
  isCompiledLater?: (source: string) => boolean
  /** Makes the entry's id from the file's name; by default `toPlainId`. */
  toId?: (entry: string) => string
}

interface Entry {
  id: string
  data: unknown
  file: string
  source?: string
}

/**
 * Reads the front matter of one file, and checks its text.
 *
 * @throws WritingError with sentences that name the file, the line and, if it is a field that is wrong, the field
 */
export function readEntry<Schema extends z.ZodType>(
  { schema, check, findFaults }: Pick<ContentFolder<Schema>, 'schema' | 'check' | 'findFaults'>,
  { id, data, file, source = '' }: Entry,
): z.output<Schema> {
  const inText = (findFaults?.(source, file) ?? []).map(({ line, sentence }) => `${file}:${line}: ${sentence}`)
  try {
    const entry = readFrontMatter(schema, data, file, source)
    const objection = check?.(entry, id, file, source)
    if (objection)
      throw new WritingError([`${file}${placeOf(/^\w*/.exec(objection)?.[0] ?? '', source)}: ${objection}`])
    if (inText.length === 0) return entry
  } catch (error) {
    if (!(error instanceof WritingError)) throw error
    throw new WritingError([...error.mistakes, ...inText])
  }
  throw new WritingError(inText)
}

/** Whether the path with this id leads to the entry unchanged, not to another path after normalization. */
function hasAddress(id: string): boolean {
  const path = encodeURI(`/${id}`)
  const target = readTarget(path)
  return target.is === 'path' && target.path === path
}

/** Reserved endings of addresses, for other forms of a text: `/posts/a.md` is the markdown of `/posts/a`. */
const ofAnother = /\.(?:md|vtt|transcript\.json|chapters\.json)$/i

/**
 * Makes a function that refuses a name that cannot be an address, because every list would have a dead link, and a
 * second file for an address, because it would silently replace the first.
 */
export function makeIdRegister() {
  const files = new Map<string, string>()
  return (id: string, file: string): string => {
    if (!hasAddress(id))
      throw new WritingError([
        `${file}:1: its name becomes its address, which must not contain ? # % ; or \\; rename it`,
      ])
    const [ending] = ofAnother.exec(id) ?? []
    if (ending !== undefined)
      throw new WritingError([
        `${file}:1: would have the address ${id}, which is reserved for the ${ending} of ${id.slice(0, -ending.length)}; rename it`,
      ])
    const first = files.get(id) ?? file
    if (first !== file)
      throw new WritingError([`${file}:1: would have the same address as ${first}, ${id}; rename one of them`])
    files.set(id, file)
    return id
  }
}

/** The id for a file name, as used in addresses: Unicode NFC, whatever normalization the file system uses. */
export const toPlainId = (entry: string): string =>
  entry
    .normalize('NFC')
    .replace(/\.\w+$/, '')
    .toLowerCase()
    .replace(/[\s_]+/g, '-')

/** The digest by which unchanged files are recognized; all code that reads the folder uses the same. */
export const toDigest = (source: string): string => sha256(source).slice(0, 24)

/** Astro's glob loader, with errors that name file, line and field in a sentence. Bodies are read from disk when needed. */
export function contentFolder<Schema extends z.ZodType>(folder: ContentFolder<Schema>): Loader {
  const { base, pattern, toId = toPlainId } = folder
  return {
    name: 'content-folder',
    async load(context) {
      const strays = folder.findStrays?.() ?? []
      if (strays.length > 0) throw new WritingError(strays)
      // The store finds entries by id: one whose file was renamed would still be read from the old file.
      const root = fileURLToPath(context.config.root)
      for (const [id, { filePath = '' }] of context.store.entries())
        if (!existsSync(join(root, filePath))) context.store.delete(id)
      const register = makeIdRegister()
      // Loaded on demand: builds without Astro read the rules of a folder, too.
      const { glob } = await import('astro/loaders')
      const files = glob({
        base,
        pattern,
        retainBody: false,
        // Nothing shows the HTML that Astro would render here.
        deferRender: true,
        generateId: ({ entry }) => register(toId(entry), join(base, entry)),
      })
      const later = new Set<string>()
      await files.load({
        ...context,
        generateDigest: (data) => toDigest(typeof data === 'string' ? data : JSON.stringify(data)),
        store: {
          ...context.store,
          set: ({ deferredRender, ...entry }) =>
            context.store.set(deferredRender === true && !later.has(entry.id) ? { ...entry, deferredRender } : entry),
        },
        async parseData(entry) {
          const { id, data, filePath } = entry
          if (filePath === undefined) throw new Error(`content entry ${id} does not come from a file`)
          const file = relative(process.cwd(), filePath)
          const source = await readFile(filePath, 'utf8')
          readEntry(folder, { id, data, file, source })
          if (folder.isCompiledLater?.(source)) later.add(id)
          else later.delete(id)
          return context.parseData(entry)
        },
      })
    },
  }
}
