import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** Log events of problems that no visitor may have noticed. */
const complaint = /"event":"(server\.error|job\.failed|build\.refused|sale\.reversed|media\.failed|episode\.failed)"/

/** Appends the output of a program to a file. Each call returns the problems logged since the last one. */
export function makeLogReader(file: string, output: () => string): () => string[] {
  mkdirSync(dirname(file), { recursive: true })
  let read = 0
  return () => {
    const said = output()
    // The last line may be incomplete.
    const whole = said.slice(read, said.lastIndexOf('\n') + 1)
    read += whole.length
    if (whole !== '') appendFileSync(file, whole)
    return whole.split('\n').filter((line) => complaint.test(line))
  }
}
