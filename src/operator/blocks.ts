import { isIP } from 'node:net'
import { toClientKey } from '../http/client-key.ts'
import type { LedgerDatabase } from '../storage/open-ledger-database.ts'

/** A wallet or client address that cannot buy. */
export interface Blocked {
  readonly kind: 'wallet' | 'address'
  readonly value: string
  readonly reason: string
  readonly since: number
}

const maxReason = 200

const network = /::\/64$/

/**
 * A blocked wallet or address as people read it: an IPv6 network with the length of its prefix, because the whole of it
 * is blocked. `block` and `unblock` accept it in this form.
 */
export const toBlockedText = ({ kind, value }: Pick<Blocked, 'kind' | 'value'>): string =>
  kind === 'address' && value.includes(':') ? `${value}::/64` : value

/**
 * Parses what the operator wants to block: a wallet, or an IP address, of which an IPv6 one stands for its /64 network.
 *
 * @throws RangeError of one sentence when it is neither
 */
function readBlocked(text: string): Pick<Blocked, 'kind' | 'value'> {
  const value = text.trim().toLowerCase().replace(network, '::')
  if (/^0x[0-9a-f]{40}$/.test(value)) return { kind: 'wallet', value }
  if (isIP(value) !== 0) return { kind: 'address', value: toClientKey(value).toLowerCase() }
  throw new RangeError('give a wallet (0x and 40 hexadecimal digits) or an IP address')
}

/** All blocked wallets and addresses, the newest first. */
export const listBlocked = (db: LedgerDatabase): Promise<Blocked[]> =>
  db.selectFrom('block_entry').selectAll().orderBy('since', 'desc').execute()

/**
 * Blocks a wallet or an address from buying. What it has already paid for is still delivered. One that is blocked
 * already keeps its time, and its reason unless there is a new one.
 *
 * @returns the entry as it is stored
 * @throws RangeError of one sentence
 */
export async function block(db: LedgerDatabase, text: string, reason: string, now: number): Promise<Blocked> {
  if (reason.length > maxReason) throw new RangeError(`a reason has at most ${maxReason} characters`)
  const entry = { ...readBlocked(text), reason: reason.trim(), since: now }
  return db
    .insertInto('block_entry')
    .values(entry)
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'value'])
        .doUpdateSet(entry.reason === '' ? { value: entry.value } : { reason: entry.reason }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Ends a block.
 *
 * @param text the wallet or address as it was given to `block`, or as `listBlocked` shows it
 * @returns whether it was blocked
 */
export async function unblock(db: LedgerDatabase, text: string): Promise<boolean> {
  const value = text.trim().toLowerCase().replace(network, '::')
  const known = [value, ...(isIP(value) === 0 ? [] : [toClientKey(value).toLowerCase()])]
  const gone = await db.deleteFrom('block_entry').where('value', 'in', known).executeTakeFirst()
  return gone.numDeletedRows > 0n
}
