import { z } from 'zod'

/** The schema of a `limit` query parameter: decimal digits only, without sign, leading zeros or spaces. */
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
