/** The site does not build. The message is one sentence, then the list of mistakes or the end of Astro's output. */
export class BuildError extends Error {
  override readonly name = 'BuildError'
}
