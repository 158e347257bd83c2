import type { Readable } from 'node:stream'

/** What is known of an object without reading it. */
export interface ObjectFacts {
  readonly bytes: number
  /** Milliseconds, by the clock of the storage, which counts whole seconds. */
  readonly changedAt: number
  /** Of these bytes under this key. */
  readonly etag: string
  /** Of its bytes, hexadecimal; undefined for what was written as a stream or by somebody else. */
  readonly sha256: string | undefined
}

export interface ListedObject {
  readonly key: string
  readonly bytes: number
  readonly changedAt: number
}

/** `new`: there must be none; else what is there must still be what had this tag. */
export type PutCondition = 'new' | { readonly etag: string }

/**
 * Large things by name, outside of this machine. A key is plain names joined by `/`. Each call has an end: it is tried
 * again for a while and then throws `StorageFailed`. An object appears whole or not at all.
 */
export interface ObjectStore {
  /**
   * Keeps these bytes, whose SHA-256 the storage compares with what arrived. Returns once they are durable.
   *
   * @returns whether they are kept; false when the condition did not hold
   */
  put(key: string, bytes: Uint8Array, condition?: PutCondition): Promise<boolean>
  /** The same for what is too large to be held at once: nothing is seen until all of it is there. */
  write(key: string, source: AsyncIterable<Uint8Array>): Promise<void>
  /**
   * A whole object; undefined when there is none.
   *
   * @param isExpected somebody knows that it was written: some storages show it to everybody only a little later
   */
  get(key: string, options?: GetOptions): Promise<Uint8Array | undefined>
  /** The same where it is not the one that has this tag; `unchanged` where it is. */
  getChanged(key: string, etag: string | undefined): Promise<ChangedObject | 'unchanged' | undefined>
  /**
   * Its bytes from `start` to `end`, included, as they come; a connection that is cut is taken up where it was. Resolves
   * once the storage has begun to answer.
   *
   * @throws NoSuchObject
   */
  open(key: string, range?: { readonly start: number; readonly end: number }): Promise<Readable>
  head(key: string): Promise<ObjectFacts | undefined>
  /** Makes it as new as if it were written now; whether it is there. */
  touch(key: string): Promise<boolean>
  remove(key: string): Promise<void>
  /** Removes it unless somebody wrote or touched it since it was listed. */
  removeUntouched(listed: ListedObject): Promise<void>
  /** All whose key begins so. Only for jobs and commands: it takes one request for a thousand. */
  list(start: string): AsyncIterable<ListedObject>
  /** Gives up uploads below this that were cut off before this time. */
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
