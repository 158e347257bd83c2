import { z } from 'zod'

/** What a reference shop is told: one product, its terms and who settles. */
export const referenceOptions = z.object({
  path: z.string(),
  price: z.object({ amount: z.string(), asset: z.string(), extra: z.record(z.string(), z.string()) }),
  payTo: z.string(),
  maxTimeoutSeconds: z.int(),
  description: z.string(),
  mimeType: z.string(),
  facilitatorUrl: z.string(),
  /** The file that is sold. */
  file: z.string(),
  /** Where the packages were fetched to that are no dependencies here. */
  packages: z.string().optional(),
})
