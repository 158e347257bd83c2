import { unpackCounts } from './hits.ts'

const weights = { title: 2, excerpt: 1, body: 0.3 }
const points = { title: 20, excerpt: 10, body: 3 }
/** The score of a term that only the body has, and of one that all fields have, in tenths. */
export const scores = { body: points.body, all: points.title + points.excerpt + points.body } as const

/** The score of a document's counts of one term, in tenths. */
export function toScore(counts: number): number {
  const { title, excerpt, body } = unpackCounts(counts)
  return (title > 0 ? points.title : 0) + (excerpt > 0 ? points.excerpt : 0) + (body > 0 ? points.body : 0)
}

/** How often a document has a term, weighted by field. */
export function toOften(counts: number): number {
  const { title, excerpt, body } = unpackCounts(counts)
  return title * weights.title + excerpt * weights.excerpt + body * weights.body
}

/** Compares counts by rank: of documents that differ only in these, the best comes first. */
export const byRank = (one: number, other: number): number =>
  toScore(other) - toScore(one) || toOften(other) - toOften(one) || other - one
