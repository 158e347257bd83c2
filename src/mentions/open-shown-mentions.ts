import type { MentionStore } from './mention-store.ts'

/** A mention as readers see it. */
export interface ShownMention {
  readonly source: string
  readonly host: string
  readonly author: string | null
}

/** What pages show of mentions. */
export interface ShownMentions {
  /** Another one whenever something that is shown changed. */
  version(): number
  /** By the path of a post. */
  find(path: string): readonly ShownMention[]
}

/** Until a decision of another process is heard that nobody tells of. */
const readEveryMs = 10_000

interface Options {
  readonly store: Pick<MentionStore, 'findShown'>
  /** Where a path of a text leads that has moved; every other path as it is. */
  readonly toPresent: (path: string) => string
  readonly report: (error: unknown) => void
  /** Programs that tell each other what they change, where there are any. */
  readonly others?: { readonly tell: () => void; readonly onChange: (listener: () => void) => void } | undefined
}

/** The approved mentions, in memory because each page asks. */
export async function openShownMentions({ store, toPresent, report, others }: Options) {
  let version = 0
  let known = ''
  let rows: Awaited<ReturnType<typeof store.findShown>> = []
  let byPath: ReadonlyMap<string, readonly ShownMention[]> = new Map()
  let isClosing = false
  let reading = Promise.resolve()

  /** Of a page that was mentioned before the post moved, and again since, the last. */
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
  /** One after the other: what was read earlier takes no later one's place. */
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
    /** Texts may be elsewhere from now on. */
    moved: group,
    /** What was decided in this process counts at once, and is told to the others. */
    async changed(): Promise<void> {
      await readInTurn()
      others?.tell()
    },
    /** Before the ledger is closed. */
    async close(): Promise<void> {
      isClosing = true
      clearInterval(timer)
      await reading
    },
  }
}
