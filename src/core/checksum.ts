import { createHash } from 'node:crypto'

/** SHA-256 of exactly these bytes, hexadecimal: the same as the output of `sha256sum`. */
export const checksum = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
