import { createHash } from 'node:crypto'
import { mkdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { hasCode, writeAtomically } from '../write-atomically.ts'
import { parseJson } from './parse-json.ts'
import type { Order } from './send-request.ts'

const record = z.object({
  url: z.string(),
  method: z.string(),
  bodySha256: z.string(),
  /** The signed payment, ready to be sent again. */
  header: z.string().check(z.regex(/^[A-Za-z0-9+/]+={0,2}$/)),
  amountMicroUsd: z.string().check(z.regex(/^\d{1,30}$/)),
  asset: z.string(),
  payTo: z.string(),
  payer: z.string(),
  /** RFC 3339. */
  createdAt: z.string(),
  /** Seconds since 1970, after which the signature moves no money. */
  validBefore: z.int(),
})

/** A payment that was signed and whose product has not arrived. */
export type PendingPurchase = z.output<typeof record>

/** The purchases in flight, one file for each different request. */
export interface PendingPurchases {
  find(order: Order): Promise<PendingPurchase | undefined>
  /** False when another process has begun the same purchase in the meantime: its signature is the one to send. */
  keep(order: Order, purchase: PendingPurchase): Promise<boolean>
  /** Forgets this purchase, and not one of the same request that another process has begun since. */
  drop(order: Order, purchase: PendingPurchase): Promise<void>
  /** Where the purchase of this request is kept. */
  path(order: Order): string
}

/** A purchase that must not be lost could not be written or read; nothing was sent. */
export class PurchaseRecordError extends Error {
  override readonly name = 'PurchaseRecordError'
}

const sha256 = (...parts: readonly (string | Uint8Array)[]): string => {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  return sum.digest('hex')
}

/** Hash of a request's body; of nothing when it has none. */
export const bodySha256 = ({ body }: Order): string => sha256(body ?? '')

/**
 * Opens the folder of purchases in flight. A file appears there, whole and synced, before its signature leaves the
 * process, and goes when the product is safe: a signature without a file was never sent.
 */
export function openPendingPurchases(folder: string): PendingPurchases {
  const path = ({ method, url, body }: Order) => join(folder, `${sha256(`${method}\n${url.href}\n`, body ?? '')}.json`)
  async function find(order: Order): Promise<PendingPurchase | undefined> {
    const content = await readFile(path(order)).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return undefined
      throw new PurchaseRecordError(`${path(order)} cannot be read`, { cause: error })
    })
    if (content === undefined) return undefined
    const read = record.safeParse(parseJson(content))
    // Signing anew could pay twice for what this file stands for, so a person has to look at it.
    if (!read.success) throw new PurchaseRecordError(`${path(order)} is damaged; move it away to buy anew`)
    return read.data
  }
  return {
    path,
    find,
    async keep(order, purchase) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await writeAtomically(path(order), JSON.stringify(purchase), { mode: 0o600, exclusive: true })
        return true
      } catch (error) {
        if (hasCode(error, 'EEXIST')) return false
        throw new PurchaseRecordError(`the purchase could not be noted in ${folder}`, { cause: error })
      }
    },
    async drop(order, { header }) {
      if ((await find(order))?.header !== header) return
      await unlink(path(order)).catch((error: unknown) => {
        if (!hasCode(error, 'ENOENT')) throw error
      })
    },
  }
}
