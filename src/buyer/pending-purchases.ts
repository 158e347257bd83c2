import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod/mini'
import { hasCode, writeAtomically } from '../storage/write-atomically.ts'
import { parseBase64Json, parseJson } from './parse-json.ts'
import type { Order } from './send-request.ts'

const record = z.object({
  url: z.string(),
  method: z.string(),
  bodySha256: z.string(),
  /** The value of `PAYMENT-SIGNATURE`, to be sent again. */
  header: z.string().check(z.regex(/^[A-Za-z0-9+/]+={0,2}$/)),
  amountMicroUsd: z.string().check(z.regex(/^\d{1,30}$/)),
  asset: z.string(),
  payTo: z.string(),
  payer: z.string(),
  /** The time of the signature (RFC 3339). */
  createdAt: z.string(),
  /** Seconds since 1970, after which the signature cannot move money. */
  validBefore: z.int(),
  /** The process that signed, as identified by `makeOwner`. */
  owner: z.optional(z.string()),
})
const hexNonce = z.templateLiteral(['0x', z.string().check(z.regex(/^[0-9a-fA-F]{64}$/))])
const signedHeader = z.object({ payload: z.object({ authorization: z.object({ nonce: hexNonce }) }) })

/** A payment that was signed and whose product has not arrived yet. */
export type PendingPurchase = z.output<typeof record> & {
  /** Read from the header, because the signed value is the one that counts. */
  nonce: z.output<typeof hexNonce>
}

/** All signatures for one request. */
export interface OpenRequest {
  /** Oldest first; the last one is the one to send. */
  signatures: PendingPurchase[]
  /** The number of the next one. */
  next: number
}

/**
 * On file systems without hard links, a record is empty for a moment before it is complete. This is how long to wait
 * for another process to write it.
 */
const fillMs = 2000
const pauseMs = 20

/** The record of a purchase could not be written or read, so nothing was sent. */
export class PurchaseRecordError extends Error {
  override readonly name = 'PurchaseRecordError'
}

const sha256 = (...parts: readonly (string | Uint8Array)[]): string => {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  return sum.digest('hex')
}

/** SHA-256 of a request's body; of the empty string when it has none. */
export const bodySha256 = ({ body }: Order): string => sha256(body ?? '')

/** The id of a request; identical requests have the same id. */
export const toId = ({ method, url, body }: Order): string => sha256(`${method}\n${url.href}\n`, body ?? '')
const toName = (id: string, place: number): string => (place === 1 ? `${id}.json` : `${id}.${place}.json`)
const namePattern = /^([0-9a-f]{64})(?:\.(\d{1,6}))?\.json$/

/**
 * The pending purchases, one file for each signature. A file is written atomically and synced before its signature is
 * sent, and removed when the product is safe: a signature without a file was never sent.
 */
export function openPendingPurchases(folder: string) {
  const list = async () => {
    const names = await readdir(folder).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return []
      throw new PurchaseRecordError(`${folder} cannot be read`, { cause: error })
    })
    const files = names.map((name) => ({ name, parts: namePattern.exec(name) }))
    return files
      .flatMap(({ name, parts }) =>
        parts ? { path: join(folder, name), id: parts[1], place: Number(parts[2] ?? 1) } : [],
      )
      .sort((a, b) => a.place - b.place)
  }

  const readBytes = (path: string) =>
    readFile(path).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return undefined
      throw new PurchaseRecordError(`${path} cannot be read`, { cause: error })
    })

  async function read(path: string): Promise<PendingPurchase | undefined> {
    let content = await readBytes(path)
    for (let waitedMs = 0; content?.length === 0 && waitedMs < fillMs; waitedMs += pauseMs) {
      await delay(pauseMs)
      content = await readBytes(path)
    }
    if (content === undefined) return undefined
    const purchase = record.safeParse(parseJson(content))
    const header = signedHeader.safeParse(parseBase64Json(purchase.data?.header ?? ''))
    // A new signature could pay a second time for what this file records, so the user has to look at it.
    if (!purchase.success || !header.success)
      throw new PurchaseRecordError(`${path} is damaged; move it away to buy again`)
    return { ...purchase.data, nonce: header.data.payload.authorization.nonce }
  }

  const readAll = async (order: Order) => {
    const id = toId(order)
    const files = (await list()).filter((file) => file.id === id)
    const found = await Promise.all(files.map(async (file) => ({ ...file, purchase: await read(file.path) })))
    return found.flatMap(({ purchase, ...file }) => (purchase ? { ...file, purchase } : []))
  }

  return {
    /** The path of the first signature of this request; later ones are next to it. */
    path: (order: Order): string => join(folder, toName(toId(order), 1)),
    async find(order: Order): Promise<OpenRequest> {
      const files = await readAll(order)
      return { signatures: files.map(({ purchase }) => purchase), next: (files.at(-1)?.place ?? 0) + 1 }
    },
    /** Pending signatures for other requests to the same shop. Unreadable files are ignored here. */
    async findElsewhere(order: Order): Promise<PendingPurchase[]> {
      const id = toId(order)
      const files = (await list()).filter((file) => file.id !== id)
      const found = await Promise.all(files.map(({ path }) => read(path).catch(() => undefined)))
      return found.flatMap((purchase) =>
        purchase && URL.canParse(purchase.url) && new URL(purchase.url).origin === order.url.origin ? purchase : [],
      )
    },
    /**
     * Stores a signature. False when another process has taken this number meanwhile: then its signature is the one to
     * send.
     */
    async keep(order: Order, { nonce: _, ...purchase }: PendingPurchase, place: number): Promise<boolean> {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const path = join(folder, toName(toId(order), place))
        await writeAtomically(path, JSON.stringify(purchase), { mode: 0o600, exclusive: true })
        return true
      } catch (error) {
        if (hasCode(error, 'EEXIST')) return false
        throw new PurchaseRecordError(`the purchase could not be noted in ${folder}`, { cause: error })
      }
    },
    /** Removes all signatures with these nonces, but not those that another process has begun since. */
    async drop(order: Order, signatures: readonly PendingPurchase[]): Promise<void> {
      const nonces = new Set(signatures.map(({ nonce }) => nonce))
      // Oldest first: if this is interrupted, the newest remains, which was paid and can fetch the product again.
      for (const { path, purchase } of await readAll(order)) {
        if (!nonces.has(purchase.nonce)) continue
        await unlink(path).catch((error: unknown) => {
          if (!hasCode(error, 'ENOENT')) throw error
        })
      }
    },
  }
}

export type PendingPurchases = ReturnType<typeof openPendingPurchases>
