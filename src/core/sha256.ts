import { createHash } from 'node:crypto'

/** SHA-256 of the parts, each ended by NUL so that no two lists of parts collide; hexadecimal. */
export function sha256(...parts: readonly (string | Uint8Array)[]): string {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part).update('\0')
  return sum.digest('hex')
}
