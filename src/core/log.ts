import type { NamedFinding } from './finding.ts'
import { redactUrls } from './redact-url.ts'

/** What is said of one payment, so that an operator finds it by whatever a buyer names. */
export interface SaleFacts {
  readonly path: string
  readonly offerId: string
  /** The price; in another token than USDC it was paid by `other`. */
  readonly amountMicroUsd: string
  /** Atomic units of another token. */
  readonly other?: { readonly asset: string; readonly units: string }
  /** Where it was paid; absent for Base. */
  readonly network?: string
  /** The one that the answer carries; a sale that a job records has none. */
  readonly requestId?: string | undefined
  readonly receiptId?: string | undefined
  readonly transaction?: string | undefined
  readonly reason?: string | undefined
  /** From asking for the money until this was known. */
  readonly tookMs?: number | undefined
}

/** Every event the programs log, with its fields. What is not declared here cannot be logged, signatures least of all. */
interface Events {
  'sale.settled': SaleFacts
  'sale.failed': SaleFacts
  /** Whether the money moved is not known yet; the buyer was told to come back. */
  'sale.pending': SaleFacts
  /** Delivered on the word of the facilitator alone. */
  'sale.doubted': SaleFacts
  /** The chain lost a transfer that was seen: the sale is out of the books until it is settled again. */
  'sale.reversed': SaleFacts
  'sale.open': { count: number }
  /** Payments were sent to the facilitator and none was mined for a while, or they are again. */
  'sale.stalled': { isStalled: boolean; network?: string }
  /** The gas wallet pays for few more settlements, or for none. */
  'gas.low': { address: string; balanceWei: string; settlementsLeft: number }
  /** Transactions were sent and none was mined for a while. */
  'settlement.stalled': { waiting: number; seconds: number }
  /** A transaction that the network lost or passed over was looked after. */
  'settlement.revived': { nonce: number; how: string }
  'episode.narrated': { storageKey: string; durationSeconds: number }
  'pictures.drawn': { drawn: number }
  'episode.failed': { slug: string; reason: string }
  /** It cannot be read aloud as it is; said once. */
  'episode.skipped': { slug: string; reason: string }
  'media-scan.ran': { narrated: number; unchanged: number; skipped: number; failed: number }
  /** `kind` is `review` when a finished product was not good enough, else what a provider's failure was. */
  'media.failed': { product: string; engine: string; kind: string; error: string }
  'job.failed': { job: string; error: string }
  /** It was due while the run before was still under way. */
  'job.skipped': { job: string; dueAt: string }
  'backup.made': { prefix: string; totalBytes: number }
  /** Products that the ledger speaks of and that are not there. */
  'backup.misses': { prefix: string; products: number }
  'retention.ran': { products: number; payments: number; runs: number; backups: number; webhooks: number }
  /** The receiver of webhooks did not take a message, which is sent again later. */
  'webhook.failed': { id: string; type: string; attempt: number; reason: string }
  /** It did not take it for days, and will not get it any more. */
  'webhook.given-up': { id: string; type: string; attempt: number; reason: string }
  /** The mail server did not take an e-mail, which is sent again later. */
  'email.failed': { id: string; type: string; attempt: number; reason: string }
  /** It did not take it for days, and it will not be sent any more. */
  'email.given-up': { id: string; type: string; attempt: number; reason: string }
  /** The collector does not take traces; said once a minute at most, with how many spans were dropped since. */
  'traces.failed': { reason: string; dropped: number }
  /** From now on requests are answered from this build. */
  'build.taken': { build: string }
  /** A build that was announced and does not fit, or cannot be loaded; what was served before goes on. */
  'build.refused': { build: string; reason: string }
  /** The log of a world of the game is damaged: it is set aside as it is, and its players may live anew. */
  'realm.unreadable': {
    realm: string
    mode: string
    event: string | null
    /** Who lived in it. */
    players: readonly string[]
    error: string
  }
  /** More came in than could be done, and new paid work was refused; or no more. */
  'server.busy': { isBusy: boolean; delayMs: number }
  /** What a part of the installation was found to be differs from before. */
  'health.changed': NamedFinding
  'server.error': { requestId?: string | undefined; error: string }
  'server.note': { note: string }
}

type EventName = keyof Events
/** `error`: somebody has to do something. `warn`: somebody may want to look. */
type Level = 'info' | 'warn' | 'error'

const levels: Readonly<Record<EventName, Level>> = {
  'sale.settled': 'info',
  'sale.failed': 'info',
  'sale.pending': 'warn',
  'sale.doubted': 'warn',
  'sale.reversed': 'error',
  'sale.open': 'warn',
  'sale.stalled': 'error',
  'gas.low': 'error',
  'settlement.stalled': 'error',
  'settlement.revived': 'warn',
  'episode.narrated': 'info',
  'pictures.drawn': 'info',
  'episode.failed': 'warn',
  'episode.skipped': 'info',
  'media-scan.ran': 'info',
  'media.failed': 'warn',
  'job.failed': 'error',
  'job.skipped': 'warn',
  'backup.made': 'info',
  'backup.misses': 'error',
  'retention.ran': 'info',
  'webhook.failed': 'warn',
  'webhook.given-up': 'error',
  'email.failed': 'warn',
  'email.given-up': 'error',
  'traces.failed': 'warn',
  'build.taken': 'info',
  'build.refused': 'error',
  'realm.unreadable': 'error',
  'server.busy': 'warn',
  'health.changed': 'warn',
  'server.error': 'error',
  'server.note': 'warn',
}

export type Log = <Name extends EventName>(name: Name, fields: Events[Name]) => void

/** Secrets that may reach an error's text by accident: signatures and keys are long hexadecimal, payments long base64. */
const secret = /\brt_[\w-]{16,}|\bwhsec_[\w+/=-]+|0x[0-9a-fA-F]{128,}|[A-Za-z0-9+/]{200,}={0,2}/g

/**
 * An error and its causes as one line of text, without what could be a signature or a payment header, and without the
 * keys that addresses of services carry: libraries write the whole address into their errors.
 */
export function toLogText(error: unknown): string {
  const parts: string[] = []
  for (let at: unknown = error; at !== undefined && parts.length < 5; at = at instanceof Error ? at.cause : undefined)
    parts.push(at instanceof Error ? `${at.name}: ${at.message}` : String(at))
  return redactUrls(parts.join(' < ')).replace(secret, '[removed]').replace(/\s+/g, ' ').slice(0, 2000)
}

/** One JSON line per event on standard output: `time` in UTC, `level`, `event`, then its fields. */
export const log: Log = (event, fields) => {
  const line = { time: new Date().toISOString(), level: levels[event], event, ...fields }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
