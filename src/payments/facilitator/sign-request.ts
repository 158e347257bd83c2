/** Makes the headers that authenticate one request. */
export type SignRequest = (method: 'GET' | 'POST', url: string) => Promise<Readonly<Record<string, string>>>

/** The base URL of a facilitator, fixed headers, and what signs each request. */
export interface FacilitatorAddress {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly sign?: SignRequest | undefined
}
