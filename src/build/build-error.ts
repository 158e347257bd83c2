/** A site that does not build: one sentence, then what is wrong or the end of what Astro said. */
export class BuildError extends Error {
  override readonly name = 'BuildError'
}
