import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { drawnTaskSchema } from './drawn-task-schema.ts'

/** Beside the pictures for recordings. */
export const coverTasksFile = 'drawn.json'

const coverTaskSchema = drawnTaskSchema.extend({ engineVersion: z.int() })

/** How the picture of a recording is drawn: the last of its editions is the one, and the others are larger. */
export type CoverTask = z.output<typeof coverTaskSchema>

/** By the slug of the post. */
export type CoverTasks = Readonly<Record<string, CoverTask>>

/** Those that a build wrote down; none when it drew nothing. */
export function readCoverTasks(folder: string): CoverTasks {
  const file = join(folder, coverTasksFile)
  return existsSync(file) ? z.record(z.string(), coverTaskSchema).parse(JSON.parse(readFileSync(file, 'utf8'))) : {}
}
