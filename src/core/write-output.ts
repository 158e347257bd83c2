let isHeard = false
let lost = 0
let reason = ''

/**
 * Writes text to standard output. If that fails, because the disk is full or nobody reads it any more, the text is lost
 * and the program goes on: what it does matters more than its log.
 *
 * @param afterLoss called if this is written after others were not, with how many failed since the last such call, and
 *   why the last one did
 */
export function writeOutput(text: string, afterLoss?: (count: number, reason: string) => void): void {
  if (!isHeard) listen()
  // Of a lost line, a part may have been written.
  process.stdout.write(lost === 0 ? text : `\n${text}`, (error) => {
    if (error) {
      lost += 1
      reason = error.message
    } else if (lost > 0 && afterLoss) {
      const count = lost
      lost = 0
      afterLoss(count, reason)
    }
  })
}

/** Without a listener, an error ends the process. Each one is counted where it occurred. */
function listen(): void {
  isHeard = true
  // Node.js adds a listener for each worker thread, and would warn of a leak when this one comes after many.
  process.stdout.setMaxListeners(0)
  process.stdout.on('error', () => {})
}
