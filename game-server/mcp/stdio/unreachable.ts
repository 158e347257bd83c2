/** The game did not answer on this way; another way, or a moment later, it may. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}
