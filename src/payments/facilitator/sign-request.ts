/** Makes the headers that prove who asks, anew for each request. */
export type SignRequest = (method: 'GET' | 'POST', url: string) => Promise<Readonly<Record<string, string>>>

/** Where a facilitator is, and what it is shown with each request. */
export interface FacilitatorAddress {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly sign?: SignRequest | undefined
}
