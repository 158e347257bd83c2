/** A program under test, in a process of its own. */
export interface Server {
  readonly origin: string
  readonly pid: number | undefined
}
