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
  // Without a listener, an error ends the process. Each one is counted below.
  if (!isHeard) process.stdout.on('error', () => {})
  isHeard = true
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
