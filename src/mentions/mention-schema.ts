import { z } from 'zod'
import { PublicHttpsUrl } from '../fetching/public-https-url.ts'

/** The form that a site sends when it mentions a post of ours (W3C Webmention). */
export const mentionSchema = z.object({
  source: PublicHttpsUrl.describe('Your page'),
  target: z.url('must be the address of a post of this site').max(2048).describe('The post that it links to'),
})
