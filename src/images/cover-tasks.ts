import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { drawnTaskSchema } from './drawn-task-schema.ts'

/** Name of the file with the cover tasks, in the folder of the covers for recordings. */
export const coverTasksFile = 'drawn.json'

const coverTaskSchema = drawnTaskSchema.extend({ engineVersion: z.int() })

/** How the cover of a recording is drawn. Its edition is the last one; the others are larger. */
export type CoverTask = z.output<typeof coverTaskSchema>

/** Cover tasks by the slug of the post. */
export type CoverTasks = Readonly<Record<string, CoverTask>>

/** Reads the cover tasks of a build; empty when it drew no covers. */
export function readCoverTasks(folder: string): CoverTasks {
  const file = join(folder, coverTasksFile)
  return existsSync(file) ? z.record(z.string(), coverTaskSchema).parse(JSON.parse(readFileSync(file, 'utf8'))) : {}
}
