import { timingSafeEqual } from 'node:crypto'
import { sha256 } from '../core/sha256.ts'

/** Whether an `Authorization` header is `Bearer` and this secret, compared in a time that tells nothing of it. */
export const isBearer = (authorization: string | null | undefined, secret: string): boolean =>
  timingSafeEqual(Buffer.from(sha256(authorization ?? '')), Buffer.from(sha256(`Bearer ${secret}`)))
