import { z } from 'zod'

/** The options of a reference shop: one product, its terms and the facilitator. */
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
  /** Folder of packages that were fetched because they are not dependencies here. */
  packages: z.string().optional(),
})
