import { unpackCounts } from './hits.ts'

const weights = { title: 2, excerpt: 1, body: 0.3 }
const points = { title: 20, excerpt: 10, body: 3 }
/** What a term scores that only the body has, and one that all of a document has. */
export const scores = { body: points.body, all: points.title + points.excerpt + points.body } as const

/** What counts score, in tenths. */
export function toScore(counts: number): number {
  const { title, excerpt, body } = unpackCounts(counts)
  return (title > 0 ? points.title : 0) + (excerpt > 0 ? points.excerpt : 0) + (body > 0 ? points.body : 0)
}

/** How often a document has a term, by the weights of its fields. */
export function toOften(counts: number): number {
  const { title, excerpt, body } = unpackCounts(counts)
  return title * weights.title + excerpt * weights.excerpt + body * weights.body
}

/** Sorts counts in the order of the results: of documents that are alike but for them, the best first. */
export const byRank = (one: number, other: number): number =>
  toScore(other) - toScore(one) || toOften(other) - toOften(one) || other - one
