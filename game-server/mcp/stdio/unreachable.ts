/** The game did not answer on this way; another way, or a moment later, it may. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
  /** Whether a key may have been pressed all the same, and must not be pressed again. */
  readonly wasAsked: boolean

  constructor(message: string, { cause, wasAsked = false }: { cause?: unknown; wasAsked?: boolean } = {}) {
    super(message, { cause })
    this.wasAsked = wasAsked
  }
}
