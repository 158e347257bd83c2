import { z } from 'zod'
import { commandSchema } from './command-schema.ts'
import { lifeSchema } from './dungeon.ts'

/** Keys of one run. */
export const maxKeys = 1500
/** From the first step of a run to its last. */
export const maxRunMs = 24 * 60 * 60 * 1000

/**
 * Everything that is needed to live a life again, and what is claimed of it. Files of cups and of single lives are
 * both of this form.
 */
export const runFileSchema = z.object({
  rules: z.int(),
  seed: z.string(),
  player: z.int().min(1).describe('Whose life it is, of those in the realm'),
  commands: z.array(commandSchema).max(1_000_000),
  hash: z.string().describe('Of the world after the last command'),
  checkpoints: z.array(z.string()).optional().describe('Hashes after every hundredth command'),
  life: lifeSchema,
  cup: z.object({ id: z.string(), commitment: z.string() }).optional(),
})

export type RunFile = z.output<typeof runFileSchema>
