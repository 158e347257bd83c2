import { z } from 'zod'
import { baseSepolia } from '../core/networks.ts'

/** Parses a list like `base-sepolia`: the networks that are accepted in addition to Base. */
export const acceptedNetworks = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter(Boolean))
  .pipe(z.array(z.literal(baseSepolia.slug, `must be a list of networks beside Base; known is ${baseSepolia.slug}`)))
  .refine((names) => new Set(names).size === names.length, 'names a network twice')
