import { z } from 'zod'
import { coverStyles } from '../core/cover-styles.ts'

const letteredSchema = z.object({
  title: z.string(),
  imprint: z.string().optional(),
  accent: z.string().optional(),
})

const editionSchema = z.object({
  purpose: z.string(),
  width: z.int(),
  height: z.int().optional(),
  type: z.enum(['avif', 'jpg']),
  quality: z.int(),
  lettering: letteredSchema.optional(),
})

/** A DrawnTask as a build stores it. The fields have the order of its key. */
export const drawnTaskSchema = z.object({
  source: z.object({ is: z.literal('drawn'), title: z.string(), excerpt: z.string(), style: z.enum(coverStyles) }),
  editions: z.array(editionSchema),
})
