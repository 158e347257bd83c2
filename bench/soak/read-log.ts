import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** What a program says of itself when something went wrong that no visitor may have seen. */
const complaint = /"event":"(server\.error|job\.failed|build\.refused|sale\.reversed|media\.failed|episode\.failed)"/

/** Keeps in a file what a program says. Each call tells the complaints since the last one. */
export function makeLogReader(file: string, output: () => string): () => string[] {
  mkdirSync(dirname(file), { recursive: true })
  let read = 0
  return () => {
    const said = output()
    // The last line may not be whole yet.
    const whole = said.slice(read, said.lastIndexOf('\n') + 1)
    read += whole.length
    if (whole !== '') appendFileSync(file, whole)
    return whole.split('\n').filter((line) => complaint.test(line))
  }
}
