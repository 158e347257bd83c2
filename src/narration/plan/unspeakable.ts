/** A text that is never read aloud, because nothing of it can be heard or because it would never end. Its message is for whoever sent it. */
export class Unspeakable extends Error {
  override readonly name = 'Unspeakable'
}
