import { readQualities } from './quality.ts'

/** The encoding of a body; `identity` is the file without compression. */
export type ContentEncoding = 'identity' | 'br' | 'gzip'

/** In the order of size, smallest first, so that the smallest wins between equal weights. */
const preferred = ['br', 'gzip', 'identity'] as const

/** The best of the available encodings for an `Accept-Encoding` header; `identity` when none is acceptable. */
export function chooseEncoding(header: string | undefined, available: ReadonlySet<ContentEncoding>): ContentEncoding {
  // Without the header every encoding is acceptable, but only the plain form is understood by all clients.
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
