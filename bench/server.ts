/** A server under test, in its own process. */
export interface Server {
  readonly origin: string
  readonly pid: number | undefined
}
