import { Problem } from '../core/problem.ts'
import { toClientKey } from '../http/client-key.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

/** Who asks to buy: the address of the request and, where a payment came with it, the wallet that would pay. */
export interface Asking {
  readonly caller?: string | undefined
  readonly payer?: string | undefined
}

/** How often the list is read again: commands change it without notifying anybody. */
const readEveryMs = 1000

interface Options {
  readonly db: LedgerDatabase
  readonly report: (error: unknown) => void
  /** The other programs on this database, which notify each other of changes; undefined where there are none. */
  readonly others?: { readonly tell: () => void; readonly onChange: (listener: () => void) => void } | undefined
}

/**
 * The wallets and addresses that the operator has blocked from buying. The list is kept in memory, because every quoted
 * price is checked against it. A change by another process takes effect within a second, or at once where processes
 * notify each other.
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
  /** Reads one after the other, so that an older result never overwrites a newer one. */
  const readInTurn = (): Promise<void> => {
    const next = reading.then(read)
    // The caller gets the error through `next`; here it must only not stop later reads.
    reading = next.catch(() => {})
    return next
  }
  const look = (): void => {
    if (!closing) void readInTurn().catch(report)
  }
  await read()
  others?.onChange(look)
  const timer = setInterval(() => {
    if (isReading) return
    isReading = true
    look()
    void reading.then(() => {
      isReading = false
    })
  }, readEveryMs).unref()

  return {
    isBlocked: ({ caller, payer }: Asking): boolean =>
      (addresses.size > 0 && caller !== undefined && addresses.has(toClientKey(caller).toLowerCase())) ||
      (wallets.size > 0 && payer !== undefined && wallets.has(payer.toLowerCase())),
    /** To be called after this process changed the list: reads it again at once and notifies the other processes. */
    async changed(): Promise<void> {
      await readInTurn()
      others?.tell()
    },
    /** Stops reading; to be called before the ledger is closed. */
    async close(): Promise<void> {
      closing = true
      clearInterval(timer)
      await reading
    },
  }
}

/** The answer to a blocked wallet or address, which is not even told a price. */
export const blocked = (): Problem => new Problem('blocked', { charged: false })

export type BlockList = Awaited<ReturnType<typeof openBlockList>>
