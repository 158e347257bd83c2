/**
 * Attributes of a span; undefined ones are left out. They must never hold a header, a query, a body, or the message of
 * an error.
 */
export type Attributes = Readonly<Record<string, string | number | undefined>>

/** A span while its work is going on. */
export interface Span {
  /** Adds attributes that became known during the work. */
  know(attributes: Attributes): void
}

/**
 * Does some work as a span of the request that it belongs to. The span ends with the work, and is failed if that
 * rejects.
 *
 * @example trace('verify', { 'farthing.product': offer.id }, () => facilitator.verify(payment, required))
 */
export type Trace = <T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>) => Promise<T>

const noSpan: Span = { know() {} }

/** For programs without a collector: only does the work. */
export const noTrace: Trace = (_name, _attributes, work) => work(noSpan)
