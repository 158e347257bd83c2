import { createHash } from 'node:crypto'

/** SHA-256 of nothing but these bytes, hexadecimal: what `sha256sum` says of the same. */
export const checksum = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
