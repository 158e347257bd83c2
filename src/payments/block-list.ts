import { Problem } from '../core/problem.ts'
import { toClientKey } from '../http/client-key.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

/** Who asks: an address, and with a payment the wallet that would pay. */
export interface Asking {
  readonly caller?: string | undefined
  readonly payer?: string | undefined
}

/** Until an order of another process is heard that nobody tells of. */
const readEveryMs = 1000
/** Where others tell, for what was written past them. */
const seldomMs = 60_000

interface Options {
  readonly db: LedgerDatabase
  readonly report: (error: unknown) => void
  /** Programs that tell each other what they change, where there are any. */
  readonly others?: { readonly tell: () => void; readonly onChange: (listener: () => void) => void } | undefined
}

/**
 * Who may buy nothing, as the operator said it. It is in memory, because each price asks; what another process of the
 * same data folder says counts within a second, and at once where processes tell each other.
 */
export async function openBlockList({ db, report, others }: Options) {
  let wallets: ReadonlySet<string> = new Set()
  let addresses: ReadonlySet<string> = new Set()
  let closing = false
  let reading = Promise.resolve()
  let isReading = false

  const read = async (): Promise<void> => {
    const rows = await db.selectFrom('block_entry').select(['kind', 'value']).execute()
    const of = (wanted: string) => new Set(rows.flatMap(({ kind, value }) => (kind === wanted ? [value] : [])))
    wallets = of('wallet')
    addresses = of('address')
  }
  /** One after the other: what was read earlier takes no later one's place. */
  const readInTurn = (): Promise<void> => {
    const next = reading.then(read)
    // Whoever asked is told.
    reading = next.catch(() => {})
    return next
  }
  const look = (): void => {
    if (!closing) void readInTurn().catch(report)
  }
  await read()
  others?.onChange(look)
  const timer = setInterval(
    () => {
      if (isReading) return
      isReading = true
      look()
      void reading.then(() => {
        isReading = false
      })
    },
    others ? seldomMs : readEveryMs,
  )
  timer.unref()

  return {
    isBlocked: ({ caller, payer }: Asking): boolean =>
      (addresses.size > 0 && caller !== undefined && addresses.has(toClientKey(caller).toLowerCase())) ||
      (wallets.size > 0 && payer !== undefined && wallets.has(payer.toLowerCase())),
    /** What was said in this process counts at once, and is told to the others. */
    async changed(): Promise<void> {
      await readInTurn()
      others?.tell()
    },
    /** Before the ledger is closed. */
    async close(): Promise<void> {
      closing = true
      clearInterval(timer)
      await reading
    },
  }
}

/** Whoever is blocked is told no price. */
export const blocked = (): Problem => new Problem('blocked', { charged: false })

export type BlockList = Awaited<ReturnType<typeof openBlockList>>
