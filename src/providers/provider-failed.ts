/**
 * What went wrong at a provider: `unavailable` passes by itself (slow, full, down); `account` waits for the operator
 * (key, balance); `refused` is about this request (its content or its form); `unusable` is an answer that is none.
 */
export type ProviderFailureKind = 'unavailable' | 'account' | 'refused' | 'unusable'

/** A provider did not make what was asked. The message is ours, for the operator's log, and holds no text of theirs. */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed'
  readonly kind: ProviderFailureKind

  constructor(kind: ProviderFailureKind, what: string, options?: ErrorOptions) {
    super(`the provider ${what}`, options)
    this.kind = kind
  }
}
