/** What is known of a span; what is undefined is left out. Never a header, a query, a body, or the text of an error. */
export type Attributes = Readonly<Record<string, string | number | undefined>>

/** What goes on, for as long as it does. */
export interface Span {
  /** Adds what became known meanwhile. */
  know(attributes: Attributes): void
}

/**
 * Does some work as a step of the request that it belongs to. The step ends with the work, and failed when that rejects.
 *
 * @example trace('verify', { 'farthing.product': offer.id }, () => facilitator.verify(payment, required))
 */
export type Trace = <T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>) => Promise<T>

const noSpan: Span = { know() {} }

/** For programs whose traces nobody collects. */
export const noTrace: Trace = (_name, _attributes, work) => work(noSpan)
