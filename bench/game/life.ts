import { z } from 'zod'

/** What is kept of one life of a bot. */
export const Life = z.object({
  seed: z.string(),
  /** The deepest level it saw. */
  depth: z.number(),
  /** How it ended, in the words of the grave; `gave up` for those who outlived the patience of the bench. */
  cause: z.string(),
  hasWon: z.boolean(),
  decisions: z.number(),
  turns: z.number(),
  gold: z.number(),
  kills: z.number(),
  /** How often it used what, by the name the thing had in its hands. */
  used: z.record(z.string(), z.number()),
})

export type Life = z.infer<typeof Life>
