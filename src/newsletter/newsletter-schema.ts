import { z } from 'zod'

/** The form by which a reader subscribes to new posts by e-mail. */
export const subscribeSchema = z.object({
  email: z
    .email('must be an e-mail address like you@example.com')
    .max(254)
    .transform((address) => address.toLowerCase())
    .describe('Where letters go; it has to be confirmed by a link in the first one'),
})
