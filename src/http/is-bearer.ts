import { timingSafeEqual } from 'node:crypto'
import { sha256 } from '../core/sha256.ts'

/** Whether an `Authorization` header is `Bearer` with this secret. The comparison takes constant time. */
export const isBearer = (authorization: string | null | undefined, secret: string): boolean =>
  timingSafeEqual(Buffer.from(sha256(authorization ?? '')), Buffer.from(sha256(`Bearer ${secret}`)))
