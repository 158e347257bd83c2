import { z } from 'zod'

/** The record of one life of a bot. */
export const Life = z.object({
  seed: z.string(),
  /** The deepest level that it reached. */
  depth: z.number(),
  /** Cause of death as the game words it; `gave up` for a life that exceeded the limit of decisions. */
  cause: z.string(),
  hasWon: z.boolean(),
  decisions: z.number(),
  turns: z.number(),
  gold: z.number(),
  kills: z.number(),
  /** How often it used each item, by the name that the item had for it. */
  used: z.record(z.string(), z.number()),
})

export type Life = z.infer<typeof Life>
