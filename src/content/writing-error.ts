/** Mistakes in the content: sentences that name file and line and say what to do. */
export class WritingError extends Error {
  override readonly name = 'WritingError'
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'))
    this.mistakes = mistakes
  }
}
