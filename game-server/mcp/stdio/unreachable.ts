/** The game did not answer over this transport; another transport or a retry may succeed. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
  /** Whether the key may have been pressed all the same, so that it must not be sent again. */
  readonly wasAsked: boolean

  constructor(message: string, { cause, wasAsked = false }: { cause?: unknown; wasAsked?: boolean } = {}) {
    super(message, { cause })
    this.wasAsked = wasAsked
  }
}
