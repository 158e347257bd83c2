/**
 * The connection to the database ended before it answered. What was being written may be written: whoever must know
 * reads it again. SQLite, which is no other program, always answers.
 */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost'
}
