import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import type { DrawnTask } from './drawn-task.ts'
import { drawnTaskSchema } from './drawn-task-schema.ts'

const deferredSchema = z.object({ engine: z.string(), tasks: z.array(drawnTaskSchema) })

/** The pictures that pages of a build refer to and that are not drawn yet, most urgent first. */
export interface DeferredPictures {
  /** Engine version of the build; part of every file name. */
  readonly engine: string
  readonly tasks: readonly DrawnTask[]
}

/** Reads the deferred pictures of a build; none when it drew everything. */
export const readDeferred = (file: string): DeferredPictures =>
  existsSync(file) ? deferredSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : { engine: '', tasks: [] }
