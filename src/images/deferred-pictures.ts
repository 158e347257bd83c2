import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import type { DrawnTask } from './drawn-task.ts'
import { drawnTaskSchema } from './drawn-task-schema.ts'

const deferredSchema = z.object({ engine: z.string(), tasks: z.array(drawnTaskSchema) })

/** The pictures that pages of a build name and that nobody has drawn, those that are wanted first in front. */
export interface DeferredPictures {
  /** Of the build: part of every name. */
  readonly engine: string
  readonly tasks: readonly DrawnTask[]
}

/** Those of a build; none when it drew everything. */
export const readDeferred = (file: string): DeferredPictures =>
  existsSync(file) ? deferredSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : { engine: '', tasks: [] }
