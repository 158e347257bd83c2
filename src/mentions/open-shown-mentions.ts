import type { MentionStore } from './mention-store.ts'

/** A mention as readers see it. */
export interface ShownMention {
  readonly source: string
  readonly host: string
  readonly author: string | null
}

/** The mentions that pages show. */
export interface ShownMentions {
  /** Changes whenever the shown mentions change. */
  version(): number
  /** The mentions of the post at a path, the oldest first. */
  find(path: string): readonly ShownMention[]
}

/** How long (ms) until a decision of a process is noticed that does not tell this one. */
const readEveryMs = 10_000

interface Options {
  readonly store: Pick<MentionStore, 'findShown'>
  /** The current path of a text that was moved; every other path unchanged. */
  readonly toPresent: (path: string) => string
  readonly report: (error: unknown) => void
  /** The other processes on the same database, which tell each other of changes. */
  readonly others?: { readonly tell: () => void; readonly onChange: (listener: () => void) => void } | undefined
}

/** The approved mentions, kept in memory because each page request reads them. */
export async function openShownMentions({ store, toPresent, report, others }: Options) {
  let version = 0
  let known = ''
  let rows: Awaited<ReturnType<typeof store.findShown>> = []
  let byPath: ReadonlyMap<string, readonly ShownMention[]> = new Map()
  let isClosing = false
  let reading = Promise.resolve()

  /**
   * Groups by current path. Of two mentions by the same page, from before and after a move of the post, the last stays.
   */
  const group = (): void => {
    const last = new Map(rows.map((row) => [JSON.stringify([row.source, toPresent(row.target)]), row]))
    byPath = Map.groupBy(last.values(), ({ target }) => toPresent(target))
    version += 1
  }
  const read = async (): Promise<void> => {
    if (isClosing) return
    rows = await store.findShown()
    const now = JSON.stringify(rows)
    if (now === known) return
    known = now
    group()
  }
  /** Reads run one after another, so that an earlier result cannot replace a later one. */
  const readInTurn = (): Promise<void> => {
    const next = reading.then(read)
    reading = next.catch(report)
    return next
  }
  await readInTurn()
  const look = () => void readInTurn().catch(() => {})
  others?.onChange(look)
  const timer = setInterval(look, readEveryMs).unref()

  const shown: ShownMentions = { version: () => version, find: (path) => byPath.get(path) ?? [] }
  return {
    shown,
    /** To be called when texts may have moved. */
    moved: group,
    /** To be called after a change by this process: reads the mentions again, and tells the other processes. */
    async changed(): Promise<void> {
      await readInTurn()
      others?.tell()
    },
    /** To be called before the ledger is closed. */
    async close(): Promise<void> {
      isClosing = true
      clearInterval(timer)
      await reading
    },
  }
}
