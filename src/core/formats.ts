import { z } from 'zod'

/** RFC 3339, UTC. */
export const dateTime = z.string().meta({ format: 'date-time' })

/** An absolute URL. */
export const uri = z.string().meta({ format: 'uri' })

/** A URL with a `:name` placeholder. It has no `format`, because it is not a valid URI in the strict sense. */
export const uriTemplate = z.string()

/** A count of things. */
export const count = z.int().min(0)

/** A price for people: `$0.10`, or `$0.06+` for a minimum. */
export const priceText = z.string().regex(/^\$\d+\.\d{2,6}\+?$/)

/** An EVM address in hexadecimal. */
export const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/)

/** A whole number of atomic units of a token. */
export const atomicText = z.string().regex(/^\d+$/)

/** A whole number of millionths of a dollar. */
export const microUsdText = z.string().regex(/^\d+$/)
