import { z } from 'zod'

/** How many entries of a list are wanted, as a query spells it: in digits, without sign, zeros or spaces before. */
export const listLimit = (max: number, usual: number) =>
  z
    .codec(
      z.string().regex(/^(?:0|[1-9]\d{0,9})$/, `must be a whole number from 1 to ${max}`),
      z.int().min(1).max(max),
      {
        decode: Number,
        encode: String,
      },
    )
    .default(usual)
    .describe('How many at most')
