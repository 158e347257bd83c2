import { copyFile, link } from 'node:fs/promises'

/** Puts a finished file at a second place, without a second copy where the file system can. Neither is ever written to. */
export const placeFile = (from: string, to: string): Promise<void> => link(from, to).catch(() => copyFile(from, to))
