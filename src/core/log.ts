/** Every event the programs log, with its fields. What is not declared here cannot be logged, signatures least of all. */
interface Events {
  'sale.settled': { path: string; transaction?: string | undefined }
  'sale.failed': { path: string; reason?: string | undefined }
  'sale.pending': { path: string; reason?: string | undefined }
  'sale.doubted': { path: string; transaction?: string | undefined }
  /** The chain lost a transfer that was seen: the sale is out of the books until it is settled again. */
  'sale.reversed': { path: string; transaction?: string | undefined; reason?: string | undefined }
  'sale.open': { count: number }
  /** Payments were sent to the facilitator and none was mined for a while, or they are again. */
  'sale.stalled': { isStalled: boolean }
  /** The gas wallet pays for few more settlements, or for none. */
  'gas.low': { address: string; balanceWei: string; settlementsLeft: number }
  /** Transactions were sent and none was mined for a while. */
  'settlement.stalled': { waiting: number; seconds: number }
  /** A transaction that the network lost or passed over was looked after. */
  'settlement.revived': { nonce: number; how: string }
  'episode.narrated': { storageKey: string; durationSeconds: number }
  'episode.failed': { slug: string; reason: string }
  'media-scan.ran': { narrated: number; unchanged: number; skipped: number; failed: number }
  /** `kind` is `review` when a finished product was not good enough, else what a provider's failure was. */
  'media.failed': { product: string; engine: string; kind: string; error: string }
  'job.failed': { job: string; error: string }
  /** It was due while the run before was still under way. */
  'job.skipped': { job: string; dueAt: string }
  'backup.made': { prefix: string; totalBytes: number }
  /** Products that the ledger speaks of and that are not there. */
  'backup.misses': { prefix: string; products: number }
  'retention.ran': { products: number; payments: number; runs: number; backups: number }
  /** From now on requests are answered from this build. */
  'build.taken': { build: string }
  /** A build that was announced and does not fit, or cannot be loaded; what was served before goes on. */
  'build.refused': { build: string; reason: string }
  /** More came in than could be done, and new paid work was refused; or no more. */
  'server.busy': { isBusy: boolean; delayMs: number }
  'server.error': { requestId?: string | undefined; error: string }
  'server.note': { note: string }
}

export type Log = <Name extends keyof Events>(name: Name, fields: Events[Name]) => void

/** Secrets that may reach an error's text by accident: signatures and keys are long hexadecimal, payments long base64. */
const secret = /\brt_[\w-]{16,}|0x[0-9a-fA-F]{128,}|[A-Za-z0-9+/]{200,}={0,2}/g

/** An error and its causes as one line of text, without what could be a signature or a payment header. */
export function toLogText(error: unknown): string {
  const parts: string[] = []
  for (let at: unknown = error; at !== undefined && parts.length < 5; at = at instanceof Error ? at.cause : undefined)
    parts.push(at instanceof Error ? `${at.name}: ${at.message}` : String(at))
  return parts.join(' < ').replace(secret, '[removed]').replace(/\s+/g, ' ').slice(0, 2000)
}

/** One JSON line per event on standard output. */
export const log: Log = (event, fields) => {
  process.stdout.write(`${JSON.stringify({ at: new Date().toISOString(), event, ...fields })}\n`)
}
