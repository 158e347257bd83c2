import { z } from 'zod'
import { commandSchema } from './command-schema.ts'
import { lifeSchema } from './dungeon.ts'

/** How many keys a cup run may press. */
export const maxKeys = 1500
/** How long a cup run may last from its first join, in milliseconds. */
export const maxRunMs = 24 * 60 * 60 * 1000

/**
 * Everything that is needed to replay a life, and the claims about it. Files of cup runs and of single lives both have
 * this form.
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
