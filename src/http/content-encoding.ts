import { readQualities } from './quality.ts'

/** How a body can be sent; `identity` is the file as it is. */
export type ContentEncoding = 'identity' | 'br' | 'gzip'

/** Smallest first, so that it wins between equals. */
const preferred = ['br', 'gzip', 'identity'] as const

/** The best of the available encodings for an `Accept-Encoding` header; `identity` when none is acceptable. */
export function chooseEncoding(header: string | undefined, available: ReadonlySet<ContentEncoding>): ContentEncoding {
  // Without the header everything is acceptable, but only the plain form is understood by all.
  if (header === undefined || available.size === 1) return 'identity'
  const qualities = readQualities(header)
  const weigh = (encoding: ContentEncoding): number =>
    qualities.get(encoding) ?? qualities.get('*') ?? (encoding === 'identity' ? 0.001 : 0)
  const choices = preferred.filter((encoding) => available.has(encoding) && weigh(encoding) > 0)
  return choices.reduce<ContentEncoding>(
    (best, encoding) => (weigh(encoding) > weigh(best) ? encoding : best),
    choices[0] ?? 'identity',
  )
}
