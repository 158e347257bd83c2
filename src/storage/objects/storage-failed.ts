/**
 * Why the storage did not do what it was asked. `unavailable` passes by itself: slow, throttled, down. `refused` waits
 * for the operator: keys, rights, a wrong address. `damaged`: what came is not what was kept.
 */
export type StorageFailure = 'unavailable' | 'refused' | 'damaged'

/** The message is ours: none of the service's text, no address and no key is in it. */
export class StorageFailed extends Error {
  override readonly name = 'StorageFailed'
  readonly kind: StorageFailure

  constructor(kind: StorageFailure, what: string, options?: ErrorOptions) {
    super(`the storage ${what}`, options)
    this.kind = kind
  }
}

/** An object that is not there, told like a file that is not. */
export class NoSuchObject extends Error {
  override readonly name = 'NoSuchObject'
  readonly code = 'ENOENT'

  constructor(key: string) {
    super(`there is no ${key} in the storage`)
  }
}
