/**
 * Thrown for a text that can never be read aloud: nothing in it can be spoken, it is in a wrong language, or it is too
 * long. The message is meant for its sender.
 */
export class Unspeakable extends Error {
  override readonly name = 'Unspeakable'
}
