/**
 * Why a request to the storage failed. `unavailable` passes by itself: slow, throttled, down. `refused` needs the
 * operator: keys, permissions, a wrong address. `damaged`: the bytes are not those that were stored.
 */
export type StorageFailure = 'unavailable' | 'refused' | 'damaged'

/** A failed request to the storage. Its message is our own: no text of the service, no address and no key. */
export class StorageFailed extends Error {
  override readonly name = 'StorageFailed'
  readonly kind: StorageFailure

  constructor(kind: StorageFailure, what: string, options?: ErrorOptions) {
    super(`the storage ${what}`, options)
    this.kind = kind
  }
}

/** The object does not exist. Has the code ENOENT, like the error for a missing file. */
export class NoSuchObject extends Error {
  override readonly name = 'NoSuchObject'
  readonly code = 'ENOENT'

  constructor(key: string) {
    super(`there is no ${key} in the storage`)
  }
}
