let isHeard = false
let lost = 0
let reason = ''

/**
 * Writes whole lines to standard output. If that fails, because the disk is full or nobody reads them any more, they
 * are lost and the program goes on: what it does matters more than its log.
 *
 * @param afterLoss called once lines can be written again, with how many writes failed until then and why the last did
 */
export function writeOutput(lines: string, afterLoss?: (count: number, reason: string) => void): void {
  if (!isHeard) listen()
  // Of a line that was lost, a part may have been written.
  process.stdout.write(lost === 0 ? lines : `\n${lines}`, (error) => {
    if (error) {
      lost += 1
      reason = error.message
    } else if (lost > 0) {
      const count = lost
      lost = 0
      afterLoss?.(count, reason)
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
