/**
 * What went wrong at a provider: `unavailable` is temporary (slow, overloaded, down); `account` is for the operator to
 * repair (key, balance, a malformed request); `refused` is about the content of this request; `unusable` is a response
 * that cannot be used.
 */
export type ProviderFailureKind = 'unavailable' | 'account' | 'refused' | 'unusable'

/**
 * Thrown when a provider failed. The message is our own, for the operator's log, and contains no text of the provider.
 */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed'
  readonly kind: ProviderFailureKind

  constructor(kind: ProviderFailureKind, what: string, options?: ErrorOptions) {
    super(`the provider ${what}`, options)
    this.kind = kind
  }
}
