import type { NamedFinding } from './finding.ts'
import { redactUrls } from './redact-url.ts'
import { writeOutput } from './write-output.ts'

/** What the log says about one payment, so that an operator finds it by anything that a buyer can name. */
export interface SaleFacts {
  readonly path: string
  readonly offerId: string
  /** The price in micro-USD. A payment in another token than USDC has its amount in `other`. */
  readonly amountMicroUsd: string
  /** The amount in atomic units of another token than USDC. */
  readonly other?: { readonly asset: string; readonly units: string }
  /** The network of the payment; absent for Base. */
  readonly network?: string
  /** The request id that the response carries; absent for a sale that a job records. */
  readonly requestId?: string | undefined
  readonly receiptId?: string | undefined
  readonly transaction?: string | undefined
  readonly reason?: string | undefined
  /** Milliseconds from the request to settle until the outcome was known. */
  readonly tookMs?: number | undefined
}

/**
 * Every event that the programs log, with its fields. Only declared fields can be logged, which keeps signatures out.
 */
interface Events {
  'sale.settled': SaleFacts
  'sale.failed': SaleFacts
  /** It is not known yet whether the money moved; the buyer was told to retry. */
  'sale.pending': SaleFacts
  /** Delivered because the facilitator reported success, without confirmation by our own node. */
  'sale.doubted': SaleFacts
  /** A transfer that was seen is no longer on the chain: the sale does not count until it is settled again. */
  'sale.reversed': SaleFacts
  'sale.open': { count: number }
  /**
   * `isStalled`: payments were sent to the facilitator and none was mined for a while. Not stalled: they are mined
   * again.
   */
  'sale.stalled': { isStalled: boolean; network?: string }
  /** The gas wallet can pay for only few more settlements, or for none. */
  'gas.low': { address: string; balanceWei: string; settlementsLeft: number }
  /** Transactions were sent and none was mined for a while. */
  'settlement.stalled': { waiting: number; seconds: number }
  /** A transaction that the network dropped or left pending was sent again or replaced. */
  'settlement.revived': { nonce: number; how: string }
  'episode.narrated': { storageKey: string; durationSeconds: number }
  'pictures.drawn': { drawn: number }
  'episode.failed': { slug: string; reason: string }
  /** The post cannot be narrated as it is; logged once. */
  'episode.skipped': { slug: string; reason: string }
  'media-scan.ran': { narrated: number; unchanged: number; skipped: number; failed: number }
  /** `kind` is `review` when a finished product failed the quality check, else the kind of the provider's failure. */
  'media.failed': { product: string; engine: string; kind: string; error: string }
  'job.failed': { job: string; error: string }
  /** The job was due while its previous run was still going on. */
  'job.skipped': { job: string; dueAt: string }
  'backup.made': { prefix: string; totalBytes: number }
  /** The ledger has entries for products whose files are missing. */
  'backup.misses': { prefix: string; products: number }
  'retention.ran': { products: number; payments: number; runs: number; backups: number; webhooks: number }
  /** The receiver of webhooks did not accept a message; it is sent again later. */
  'webhook.failed': { id: string; type: string; attempt: number; reason: string }
  /** The receiver did not accept a message for days; it is not sent any more. */
  'webhook.given-up': { id: string; type: string; attempt: number; reason: string }
  /** The mail server did not accept an e-mail; it is sent again later. */
  'email.failed': { id: string; type: string; attempt: number; reason: string }
  /** The mail server did not accept an e-mail for days; it is not sent any more. */
  'email.given-up': { id: string; type: string; attempt: number; reason: string }
  /** The collector does not accept traces. Logged at most once a minute, with the number of spans dropped since. */
  'traces.failed': { reason: string; dropped: number }
  /** The site serves requests from this build from now on. */
  'build.taken': { build: string }
  /**
   * A build was announced but does not fit this program or cannot be loaded. The site keeps serving the build before
   * it.
   */
  'build.refused': { build: string; reason: string }
  /** The log of a game world is damaged: its file is set aside unchanged, and its players may start new lives. */
  'realm.unreadable': {
    realm: string
    mode: string
    event: string | null
    /** The players of this world. */
    players: readonly string[]
    error: string
  }
  /** `isBusy`: there is more work than the process can do, so new paid work is refused. Not busy: this is over. */
  'server.busy': { isBusy: boolean; delayMs: number }
  /** The finding about a part of the installation changed. */
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

/**
 * Secrets that an error message may contain by accident: resume tokens, webhook secrets, signatures and keys (long
 * hexadecimal), payments (long base64).
 */
const secret = /\brt_[\w-]{16,}|\bwhsec_[\w+/=-]+|0x[0-9a-fA-F]{128,}|[A-Za-z0-9+/]{200,}={0,2}/g

/**
 * An error and its causes as one line of text. Removes what could be a signature or a payment header, and the keys
 * inside service URLs, because libraries write the whole URL into their errors.
 */
export function toLogText(error: unknown): string {
  const parts: string[] = []
  for (let at: unknown = error; at !== undefined && parts.length < 5; at = at instanceof Error ? at.cause : undefined)
    parts.push(at instanceof Error ? `${at.name}: ${at.message}` : String(at))
  return redactUrls(parts.join(' < ')).replace(secret, '[removed]').replace(/\s+/g, ' ').slice(0, 2000)
}

/**
 * One JSON line per event on standard output: `time` in UTC, `level`, `event`, then its fields. Lines that cannot be
 * written are missing, and the log says so once it can be written again.
 */
export const log: Log = (event, fields) => {
  const line = { time: new Date().toISOString(), level: levels[event], event, ...fields }
  writeOutput(`${JSON.stringify(line)}\n`, noteLoss)
}

const noteLoss = (count: number, reason: string): void =>
  log('server.note', {
    note: `${count} ${count === 1 ? 'line of this log is' : 'lines of this log are'} missing, because writing failed: ${reason}`,
  })
