import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { glob, type Loader } from 'astro/loaders'
import type { z } from 'zod'
import { sha256 } from '../core/sha256.ts'
import { readTarget } from '../http/canonical-path.ts'
import { placeOf, readFrontMatter } from './front-matter.ts'
import { WritingError } from './writing-error.ts'
import type { Fault } from './writing-tree.ts'

/** The files of one collection, and what is asked of them. */
export interface ContentFolder<Schema extends z.ZodType> {
  base: `./${string}`
  pattern: string
  schema: Schema
  /**
   * What the schema cannot see, because it concerns the file itself; the sentence goes on after file and line, and begins
   * with the field that it is about.
   */
  check?: (data: z.output<Schema>, id: string, file: string, source: string) => string | undefined
  /** What is wrong with the text. */
  findFaults?: (source: string, file: string) => Fault[]
  /** What is wrong with the files that lie around, as sentences. */
  findStrays?: () => string[]
  /** Whether a text is compiled by whoever shows it, if anybody does, and not with the pages. */
  isCompiledLater?: (source: string) => boolean
  /** The entry's name; the file's name without its ending when absent. */
  toId?: (entry: string) => string
}

interface Entry {
  id: string
  data: unknown
  file: string
  source?: string
}

/**
 * Reads the front matter of one file, and its text for faults.
 *
 * @throws WritingError of sentences that name file, line and, where it is one, the field
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

/** Whether a path that ends so leads to what has this name, and to nothing else. */
function hasAddress(id: string): boolean {
  const path = encodeURI(`/${id}`)
  const target = readTarget(path)
  return target.is === 'path' && target.path === path
}

/** What ends the addresses of what belongs to a text: `/posts/a.md` is the markdown of `/posts/a`. */
const ofAnother = /\.(?:md|vtt|transcript\.json|chapters\.json)$/i

/**
 * Refuses a name that no address can hold, to which every list would have a dead link, and a second file for an address
 * that another has, which would silently replace it.
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

/** The name of a file as an address has it: in one spelling (Unicode NFC), whatever that of its folder is. */
export const toPlainId = (entry: string): string =>
  entry
    .normalize('NFC')
    .replace(/\.\w+$/, '')
    .toLowerCase()
    .replace(/[\s_]+/g, '-')

/** By which a file is known again that did not change; the same for all who read the folder. */
export const toDigest = (source: string): string => sha256(source).slice(0, 24)

/** Astro's glob loader, with errors that name file, line and field in a sentence. Bodies are read from disk when needed. */
export function contentFolder<Schema extends z.ZodType>(folder: ContentFolder<Schema>): Loader {
  const { base, pattern, toId = toPlainId } = folder
  return {
    name: 'content-folder',
    load(context) {
      const strays = folder.findStrays?.() ?? []
      if (strays.length > 0) throw new WritingError(strays)
      // A text is known again by its address: one whose file got another name would be read where it was.
      const root = fileURLToPath(context.config.root)
      for (const [id, { filePath = '' }] of context.store.entries())
        if (!existsSync(join(root, filePath))) context.store.delete(id)
      const register = makeIdRegister()
      const files = glob({
        base,
        pattern,
        retainBody: false,
        // Of what Astro would render here nothing is shown.
        deferRender: true,
        generateId: ({ entry }) => register(toId(entry), join(base, entry)),
      })
      const later = new Set<string>()
      return files.load({
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
