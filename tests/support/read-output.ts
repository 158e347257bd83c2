import type { ChildProcess } from 'node:child_process'

/** The output of a program that a test started, and the port that it reports. */
export function readOutput(child: ChildProcess, name: string) {
  let output = ''
  const listening = new Promise<number>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      const port = /^listening (\d+)$/m.exec(output)?.[1]
      if (port) resolve(Number(port))
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.on('exit', (code) => reject(new Error(`${name} ended with ${code}: ${output}`)))
  })
  return { listening, output: () => output }
}
