import { z } from 'zod'

const mark = 'whsec_'
const wrong = 'must be whsec_ and 24 to 64 bytes in base64'

/** Parses the signing key of webhooks in the format of Standard Webhooks. */
export const webhookSecret = z
  .string()
  .startsWith(mark, wrong)
  .transform((secret, context) => {
    const encoded = secret.slice(mark.length)
    const key = Buffer.from(encoded, 'base64')
    // The decoder silently skips characters that are not base64, so the result is compared with the input.
    if (key.toString('base64') === encoded && key.length >= 24 && key.length <= 64) return key
    context.addIssue({ code: 'custom', message: wrong })
    return z.NEVER
  })
