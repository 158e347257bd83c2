import type { ImageMetadata } from 'astro'
import { z } from 'zod'

const fileSchema = z.object({ width: z.number(), height: z.number(), format: z.string() })

/**
 * What is known of a picture beside a text, without asking Astro's object for it: the file of one that is asked is
 * published, with all that a camera wrote into it. Its copy may be asked.
 */
export const readPictureFile = (src: ImageMetadata): z.infer<typeof fileSchema> =>
  fileSchema.parse({ ...(Reflect.get(src, 'clone') ?? src) })
