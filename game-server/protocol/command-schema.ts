import { z } from 'zod'
import type { Command } from '../core/step.ts'

const player = z.int().min(1)

/** A command, as stored in logs and in files of runs. */
export const commandSchema: z.ZodType<Command> = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('join'),
    name: z.string(),
    kind: z.enum(['human', 'agent']),
    dice: z.string().exactOptional(),
  }),
  z.object({ is: z.literal('leave'), player }),
  z.object({ is: z.literal('return'), player }),
  z.object({ is: z.literal('key'), player, key: z.string() }),
])
