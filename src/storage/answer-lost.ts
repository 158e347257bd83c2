/**
 * The connection to the database ended before the response to a statement arrived. The statement may have been carried
 * out or not: a caller that must know reads the rows again. SQLite runs within this process and never throws this.
 */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost'
}
