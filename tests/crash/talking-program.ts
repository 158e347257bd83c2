// A program that logs a note for each message from the test, and answers when it has tried to.
import { log } from '../../src/core/log.ts'

process.on('message', (note) => {
  log('server.note', { note: String(note) })
  // An error of the output that nobody handles ends the process before that.
  setImmediate(() => process.send?.('tried'))
})
