import type { Readable } from 'node:stream'

/** What is known of an object without reading it. */
export interface ObjectFacts {
  readonly bytes: number
  /** Milliseconds, by the clock of the storage, which counts whole seconds. */
  readonly changedAt: number
  /** Entity tag of these bytes under this key. */
  readonly etag: string
  /** SHA-256 of its bytes, hexadecimal; undefined for objects written as a stream or by another program. */
  readonly sha256: string | undefined
}

export interface ListedObject {
  readonly key: string
  readonly bytes: number
  readonly changedAt: number
}

/** `new`: the object must not exist. Otherwise the stored object must still have this tag. */
export type PutCondition = 'new' | { readonly etag: string }

/**
 * Stores large objects outside of this machine. A key is plain names joined by `/`. Each call ends: it is retried for a
 * while and then throws `StorageFailed`. An object appears complete or not at all.
 */
export interface ObjectStore {
  /**
   * Stores these bytes, whose SHA-256 the storage compares with what arrived. Resolves once they are durable.
   *
   * @returns whether they are stored; false when the condition did not hold
   */
  put(key: string, bytes: Uint8Array, condition?: PutCondition): Promise<boolean>
  /** Like `put`, for content that is too large for memory: the object is visible once all of it is stored. */
  write(key: string, source: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * A whole object; undefined when there is none.
   *
   * @param isExpected whether it is known to have been written: some storages show new objects only a little later
   */
  get(key: string, options?: GetOptions): Promise<Uint8Array | undefined>
  /** Like `get`, but `unchanged` when the object still has this tag. */
  getChanged(key: string, etag: string | undefined): Promise<ChangedObject | 'unchanged' | undefined>
  /**
   * Its bytes from `start` to `end`, inclusive, as a stream. A broken connection is resumed where it stopped. Resolves
   * once the storage has begun to respond.
   *
   * @throws NoSuchObject
   */
  open(key: string, range?: { readonly start: number; readonly end: number }): Promise<Readable>
  head(key: string): Promise<ObjectFacts | undefined>
  /** Sets its time of change to now. Returns whether it exists. */
  touch(key: string): Promise<boolean>
  remove(key: string): Promise<void>
  /** Removes it unless it was written or touched after it was listed. */
  removeUntouched(listed: ListedObject): Promise<void>
  /** All objects whose key begins with `start`. For jobs and commands only: it takes a request per thousand objects. */
  list(start: string): AsyncIterable<ListedObject>
  /** Aborts interrupted uploads whose key begins with `start` and that began before this time (ms since 1970). */
  sweep(start: string, before: number): Promise<void>
}

export interface GetOptions {
  readonly maxBytes?: number
  readonly isExpected?: boolean
}

export interface ChangedObject {
  readonly bytes: Uint8Array
  readonly etag: string
}
