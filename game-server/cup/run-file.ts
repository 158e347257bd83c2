import { z } from 'zod'
import { commandSchema } from '../realms/command-schema.ts'

/** Keys of one run. */
export const maxKeys = 1500
/** From the first step of a run to its last. */
export const maxRunMs = 24 * 60 * 60 * 1000

const kind = z.enum(['human', 'agent'])
const player = z.int().min(1)
/** A life in figures. */
export const lifeSchema = z.object({
  name: z.string(),
  kind,
  cause: z.string(),
  depth: z.int(),
  turn: z.int(),
  gold: z.int(),
  kills: z.int(),
  score: z.int(),
  hasWon: z.boolean(),
})

/**
 * Everything that is needed to live a life again, and what is claimed of it. Files of cups and of single lives are
 * both of this form.
 */
export const runFileSchema = z.object({
  rules: z.int(),
  seed: z.string(),
  /** Whose life it is, of those in the world. */
  player,
  commands: z.array(commandSchema).max(1_000_000),
  /** Of the world after the last command. */
  hash: z.string(),
  /** Hashes after every hundredth command. */
  checkpoints: z.array(z.string()).optional(),
  life: lifeSchema,
  cup: z.object({ id: z.string(), commitment: z.string() }).optional(),
})

export type RunFile = z.output<typeof runFileSchema>
export type Life = z.output<typeof lifeSchema>
