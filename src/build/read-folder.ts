import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { parseFrontmatter } from '@astrojs/internal-helpers/frontmatter'
import { z } from 'zod'
import { type ContentFolder, makeIdRegister, readEntry, toDigest, toPlainId } from '../content/content-folder.ts'
import { WritingError } from '../content/writing-error.ts'

/** An entry as Astro's content store holds it. */
export const entrySchema = z.looseObject({
  filePath: z.string().optional(),
  digest: z.string().optional(),
  /** Set for an entry that is compiled with the pages. */
  deferredRender: z.literal(true).optional(),
})

export type Entry = z.output<typeof entrySchema>

/**
 * Reads a folder of content as Astro's loader for it does (`contentFolder`). The entries of unchanged files are taken
 * from `before`.
 *
 * @throws WritingError with the mistakes in all files, in the order of the file names
 */
export function readFolder<Schema extends z.ZodType>(
  folder: ContentFolder<Schema>,
  before: ReadonlyMap<string, Entry> = new Map(),
): Map<string, Entry> {
  const { base, pattern, toId = toPlainId } = folder
  const mistakes = new Map<string, readonly string[]>()
  const register = makeIdRegister()
  // The folder may be missing, because git keeps no empty folders.
  const found = existsSync(base) ? readdirSync(base, { recursive: true, encoding: 'utf8' }) : []
  const names = found.filter((name) => matchesGlob(name, pattern)).sort()
  const entries = new Map<string, Entry>()
  const readNext = (name: string): void => {
    const file = join(base, name)
    // Blocks, which takes a fraction of the time of handing each small file to another thread.
    const source = readFileSync(file, 'utf8')
    const id = register(toId(name), file)
    const digest = toDigest(source)
    const known = before.get(id)
    const isKnown = known?.digest === digest && known.filePath === file
    entries.set(id, isKnown ? known : { id, ...read(folder, { id, file, source }), filePath: file, digest })
  }
  for (const name of names)
    try {
      readNext(name)
    } catch (error) {
      if (!(error instanceof WritingError)) throw error
      mistakes.set(name, error.mistakes)
    }
  const all = [...(folder.findStrays?.() ?? []), ...names.flatMap((name) => mistakes.get(name) ?? [])]
  if (all.length > 0) throw new WritingError(all)
  return entries
}

function read<Schema extends z.ZodType>(
  folder: ContentFolder<Schema>,
  { id, file, source }: { readonly id: string; readonly file: string; readonly source: string },
): Entry {
  const data = readEntry(folder, { id, data: parse(source, file), file, source })
  return { data, ...(folder.isCompiledLater?.(source) !== true && { deferredRender: true }) }
}

/**
 * The errors of js-yaml and smol-toml for front matter that they cannot parse. js-yaml counts lines from 0, smol-toml
 * from 1; in both, the line of the opening delimiter is the first.
 */
const unreadable = z.union([
  z
    .object({ reason: z.string(), mark: z.object({ line: z.number() }) })
    .transform(({ reason, mark }) => ({ line: mark.line + 1, reason })),
  z
    .object({ codeblock: z.string(), message: z.string(), line: z.number() })
    .transform(({ message, line }) => ({ line, reason: message.split('\n', 1)[0] })),
])

function parse(source: string, file: string): Record<string, unknown> {
  try {
    return parseFrontmatter(source).frontmatter
  } catch (error) {
    const { data } = unreadable.safeParse(error)
    if (data === undefined) throw error
    throw new WritingError([
      `${file}:${data.line}: the front matter cannot be read: ${data.reason}; a text with a colon, a # or quotation marks needs quotes around it`,
    ])
  }
}
