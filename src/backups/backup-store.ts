import type { Readable } from 'node:stream'

/** One file that is kept. Its key is a path of plain names, joined by `/`. */
export interface StoredFile {
  readonly key: string
  readonly bytes: number
  readonly changedAt: number
}

/** Where backups are kept. A file appears whole or not at all, and a power cut takes none that was written. */
export interface BackupStore {
  /** Every file whose key begins so, in no order. */
  list(start: string): Promise<StoredFile[]>
  read(key: string): Readable
  write(key: string, source: AsyncIterable<Uint8Array>): Promise<void>
  remove(key: string): Promise<void>
  /** Removes what writes left behind that were cut off before this time. */
  sweep(before: number): Promise<void>
}
