import { readQualities } from './quality.ts'

/**
 * Chooses the media type of a response by an `Accept` header (RFC 9110, 12.5.1). Wildcards mean `usual`, which is also
 * the choice when nothing on offer is acceptable. The other types are only chosen by name, because HTTP libraries send
 * wildcards in addition to the types they want. Between equal weights the first of `offered` wins, in whatever order
 * the header names them.
 *
 * @example negotiate('text/markdown, text/html;q=0.9', ['text/markdown', 'text/html'], 'text/html') // 'text/markdown'
 */
export function negotiate<Type extends string>(
  accept: string | null | undefined,
  offered: readonly Type[],
  usual: Type,
): Type {
  const header = accept?.toLowerCase() ?? ''
  // Most requests name none of the other types, so their header need not be parsed.
  if (!offered.some((type) => type !== usual && header.includes(type))) return usual
  const qualities = readQualities(header)
  const weigh = (type: Type): number => (type === usual ? weighUsual(qualities, type) : (qualities.get(type) ?? 0))
  const [best = usual] = offered.filter((type) => weigh(type) > 0).toSorted((one, other) => weigh(other) - weigh(one))
  return best
}

/** Whether an `Accept` header accepts a type, by name or by wildcard; no header accepts all. */
export const accepts = (accept: string | null, type: string): boolean =>
  accept === null || weighUsual(readQualities(accept), type) > 0

const weighUsual = (qualities: ReadonlyMap<string, number>, type: string): number =>
  qualities.get(type) ?? qualities.get(`${type.split('/', 1)[0]}/*`) ?? qualities.get('*/*') ?? 0

/**
 * Markdown comes before HTML at equal weight: no browser names it, and agents that do want it. Plain text needs a
 * higher weight than HTML.
 */
const pageTypes = ['text/markdown', 'text/html', 'text/plain'] as const

/** The type in which to send a page that exists as markdown, too. */
export const negotiatePage = (accept: string | null | undefined): (typeof pageTypes)[number] =>
  negotiate(accept, pageTypes, 'text/html')

/**
 * Whether the request comes from a person in a browser: `Accept` names HTML, and does not prefer JSON. Programs that
 * accept anything get JSON.
 */
export const prefersHtml = (accept: string | null | undefined): boolean =>
  negotiate(accept, ['text/html', 'application/json'], 'application/json') === 'text/html'
