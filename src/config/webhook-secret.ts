import { z } from 'zod'

const mark = 'whsec_'
const wrong = 'must be whsec_ and 24 to 64 bytes in base64'

/** The key that webhooks are signed with, as Standard Webhooks writes secrets. */
export const webhookSecret = z
  .string()
  .startsWith(mark, wrong)
  .transform((secret, context) => {
    const encoded = secret.slice(mark.length)
    const key = Buffer.from(encoded, 'base64')
    // What is no base64 is left out silently when it is read.
    if (key.toString('base64') === encoded && key.length >= 24 && key.length <= 64) return key
    context.addIssue({ code: 'custom', message: wrong })
    return z.NEVER
  })
