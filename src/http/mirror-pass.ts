import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { isBearer } from './is-bearer.ts'

/** A pass is sent to whoever answers at a public name: it is worth nothing elsewhere, and nothing a minute later. */
const longestMs = 60_000

/** Where an installation keeps what its passes are made from. */
export const mirrorSecretFile = (dataDir: string): string => join(dataDir, 'doctor.key')

/** A pass for the mirror of one program, until a moment in milliseconds. */
export const makePass = (secret: string, origin: string, untilMs: number): string =>
  `${untilMs}.${createHmac('sha256', secret).update(`mirror ${origin} ${untilMs}`).digest('base64url')}`

interface Door {
  readonly secret: string
  /** The public address of the program that is asked. */
  readonly origin: string
  readonly now: () => number
}

/** Whether an `Authorization` header carries a pass for this program that has not ended. */
export function isPass(authorization: string | null, { secret, origin, now }: Door): boolean {
  const untilMs = Number(/^Bearer (\d{1,16})\./.exec(authorization ?? '')?.[1])
  const leftMs = untilMs - now()
  return leftMs > 0 && leftMs <= longestMs && isBearer(authorization, makePass(secret, origin, untilMs))
}
