import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { PackedForms } from './compress.ts'
import { openThreads } from './threads/open-threads.ts'

/** The entity tag of a file, derived from its bytes alone. */
export const toEtag = (body: Uint8Array): string =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

/** One core is left to the thread that renders; more than a few would wait for its pages, and each takes memory. */
const threadCount = Math.min(4, Math.max(1, availableParallelism() - 1))
const threads = openThreads<Uint8Array, PackedForms>(new URL('threads/pack-thread.ts', import.meta.url), threadCount)

/** Below this size the headers of a response outweigh what compression saves. */
const minBytes = 1024

async function compress(body: Buffer): Promise<PackedForms> {
  if (body.length < minBytes) return {}
  const copy = new Uint8Array(body)
  return threads.run(copy, [copy.buffer])
}

interface Options {
  /** Whether the compressed forms of the file with this entity tag exist already, so that nobody will ask for them. */
  readonly isKnown?: (etag: string) => boolean
  /** How much memory the files that were begun may hold. */
  readonly maxBytes?: number
}

/** Enough for about four thousand posts. */
const maxHeldBytes = 64 * 1024 * 1024

/**
 * Compresses files in other threads. `begin` starts before a file is written: rendering uses one core, so the others
 * can compress the pages that are already rendered.
 *
 * @example
 * const packer = openPacker()
 * const etag = packer.begin(body)
 * const { br } = await packer.pack(etag, () => body)
 */
export function openPacker({ isKnown = () => false, maxBytes = maxHeldBytes }: Options = {}) {
  const begun = new Map<string, { readonly forms: Promise<PackedForms>; bytes: number }>()
  let held = 0
  return {
    /**
     * Starts to compress a file that will be packed later, unless too much is held already.
     *
     * @returns its entity tag
     */
    begin(body: Buffer): string {
      const etag = toEtag(body)
      if (held + body.length > maxBytes || begun.has(etag) || isKnown(etag)) return etag
      const hold = (bytes: number) => {
        held += bytes - entry.bytes
        entry.bytes = bytes
      }
      const work = async () => {
        const forms = await compress(body)
        if (begun.get(etag) === entry) hold((forms.br?.length ?? 0) + (forms.gz?.length ?? 0))
        return forms
      }
      const entry = { forms: work(), bytes: 0 }
      begun.set(etag, entry)
      hold(body.length)
      return etag
    },
    /** The entity tags of the files that were begun and not asked for yet. */
    begun: (): string[] => [...begun.keys()],
    /**
     * The compressed forms of the file with this entity tag. A result that was begun is handed out once.
     *
     * @param read reads the file, where it was not begun
     */
    async pack(etag: string, read: () => Buffer): Promise<PackedForms> {
      const entry = begun.get(etag)
      if (!entry) return compress(read())
      begun.delete(etag)
      held -= entry.bytes
      return entry.forms
    },
  }
}

export type Packer = ReturnType<typeof openPacker>
