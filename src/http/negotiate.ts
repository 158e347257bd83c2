import { readQualities } from './quality.ts'

/**
 * Chooses the media type of an answer by an `Accept` header (RFC 9110, 12.5.1). Wildcards ask for the usual type, and
 * who asks for nothing we have gets it. The others are only for those who name them: HTTP libraries send wildcards
 * beside names they do not mean. Between equal weights the first of `offered` wins, in whatever order they were named.
 *
 * @example negotiate('text/markdown, text/html;q=0.9', ['text/markdown', 'text/html'], 'text/html') // 'text/markdown'
 */
export function negotiate<Type extends string>(
  accept: string | null | undefined,
  offered: readonly Type[],
  usual: Type,
): Type {
  const header = accept?.toLowerCase() ?? ''
  // Most requests name none of them, and are not worth taking apart.
  if (!offered.some((type) => type !== usual && header.includes(type))) return usual
  const qualities = readQualities(header)
  const weigh = (type: Type): number => (type === usual ? weighUsual(qualities, type) : (qualities.get(type) ?? 0))
  const [best = usual] = offered.filter((type) => weigh(type) > 0).toSorted((one, other) => weigh(other) - weigh(one))
  return best
}

/** Whether an `Accept` header has room for a type, by its name or by a wildcard; who sends none takes any. */
export const accepts = (accept: string | null, type: string): boolean =>
  accept === null || weighUsual(readQualities(accept), type) > 0

const weighUsual = (qualities: ReadonlyMap<string, number>, type: string): number =>
  qualities.get(type) ?? qualities.get(`${type.split('/', 1)[0]}/*`) ?? qualities.get('*/*') ?? 0

/** Markdown wins a draw: no browser names it, agents that do mean it. Plain text must be wanted more than HTML. */
const pageTypes = ['text/markdown', 'text/html', 'text/plain'] as const

/** As which type a page is asked for that exists as markdown, too. */
export const negotiatePage = (accept: string | null | undefined): (typeof pageTypes)[number] =>
  negotiate(accept, pageTypes, 'text/html')

/**
 * Whether a person is asking, in a browser: HTML is named, and not behind JSON. Programs that accept anything get JSON.
 */
export const prefersHtml = (accept: string | null | undefined): boolean =>
  negotiate(accept, ['text/html', 'application/json'], 'application/json') === 'text/html'
