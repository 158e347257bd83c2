import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { writeAtomically } from '../storage/write-atomically.ts'
import { parseJson } from './parse-json.ts'
import { toId } from './pending-purchases.ts'
import type { Order } from './send-request.ts'

const record = z.object({
  url: z.string(),
  method: z.string(),
  /** The signature that paid, with which the product can be fetched again for a while. */
  header: z.string().check(z.regex(/^[A-Za-z0-9+/]+={0,2}$/)),
  receiptId: z.optional(z.string()),
  amountMicroUsd: z.string(),
  payer: z.string(),
  /** SHA-256 of the product. */
  sha256: z.string(),
  /** The time of the purchase (RFC 3339). */
  boughtAt: z.string(),
})

/** A product that was bought and saved. */
export type BoughtRecord = z.output<typeof record>

/**
 * The records of purchases, one file for each request. They are checked before anything new is signed. Losing one costs
 * nothing, so a run does not fail because of them.
 */
export function openBoughtRecords(folder: string) {
  const path = (order: Order): string => join(folder, `${toId(order)}.json`)
  return {
    /** The path of the record of a request. */
    path,
    async find(order: Order): Promise<BoughtRecord | undefined> {
      const content = await readFile(path(order)).catch(() => undefined)
      return content && record.safeParse(parseJson(content)).data
    },
    /**
     * Stores the record of a purchase.
     *
     * @throws Error when it cannot be written
     */
    async keep(order: Order, bought: BoughtRecord): Promise<void> {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeAtomically(path(order), JSON.stringify(bought), { mode: 0o600 })
    },
  }
}

export type BoughtRecords = ReturnType<typeof openBoughtRecords>
