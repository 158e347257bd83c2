import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { isBearer } from './is-bearer.ts'

/**
 * The longest time that a pass is valid for, in milliseconds. It is short because the pass is sent to whichever server
 * answers at a public name.
 */
const longestMs = 60_000

/** The file of the secret that the passes of an installation are derived from. */
export const mirrorSecretFile = (dataDir: string): string => join(dataDir, 'doctor.key')

/** A pass for the mirror of the program at this origin, valid until `untilMs` (milliseconds since 1970). */
export const makePass = (secret: string, origin: string, untilMs: number): string =>
  `${untilMs}.${createHmac('sha256', secret).update(`mirror ${origin} ${untilMs}`).digest('base64url')}`

interface Door {
  readonly secret: string
  /** The public address of the program that is asked. */
  readonly origin: string
  readonly now: () => number
}

/** Whether an `Authorization` header carries a pass for this program that has not expired. */
export function isPass(authorization: string | null, { secret, origin, now }: Door): boolean {
  const untilMs = Number(/^Bearer (\d{1,16})\./.exec(authorization ?? '')?.[1])
  const leftMs = untilMs - now()
  return leftMs > 0 && leftMs <= longestMs && isBearer(authorization, makePass(secret, origin, untilMs))
}
