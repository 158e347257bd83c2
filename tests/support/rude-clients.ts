import { connect } from 'node:net'

/** Sends chunks without end until a response comes, and returns how many bytes the server accepted before. */
export function pourChunks(port: number, head: string): Promise<{ answer: string; sentBytes: number }> {
  return new Promise((resolve, reject) => {
    const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`
    let sentBytes = 0
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(head)
      send()
    })
    const send = () => {
      do sentBytes += chunk.length
      while (socket.write(chunk) && !socket.destroyed)
    }
    socket.on('drain', send)
    socket.on('error', reject)
    socket.setTimeout(5000, () => socket.destroy(new Error('no answer came')))
    socket.once('data', (answer) => {
      socket.removeAllListeners('drain')
      socket.destroy()
      resolve({ answer: answer.toString('latin1'), sentBytes })
    })
  })
}

/** Disconnects before its body is complete. */
export function leaveInTheMiddle(port: number, head: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(`${head}{"half":`, () => socket.destroy()))
    socket.on('error', reject)
    socket.on('close', () => resolve())
  })
}
