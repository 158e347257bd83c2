import type { Finding } from '../../core/finding.ts'

/** A finding from outside; `later` when nothing runs there yet. */
export type Looked = Finding | { readonly is: 'later'; readonly sentence: string }

/** A check of the installation from outside. `run` gives undefined when another check reports the fault. */
export interface OutsideCheck {
  readonly name: string
  readonly run: () => Promise<Looked | undefined>
}

const rank = { ok: 0, later: 1, undefined: 2, warning: 3, failure: 4 } as const
const rankOf = (looked: Looked | undefined): number => rank[looked?.is ?? 'undefined']

/** Combines the findings of several hosts into the worst one, without repeated sentences. */
export function toWorst(all: readonly (Looked | undefined)[]): Looked | undefined {
  const most = Math.max(...all.map(rankOf))
  const worst = all.flatMap((looked) => (looked && rankOf(looked) === most ? [looked] : []))
  const [first] = worst
  if (!first || rankOf(first) !== most) return undefined
  const sentence = [...new Set(worst.map((each) => each.sentence))].join(' ')
  const advice = [...new Set(worst.flatMap((each) => ('advice' in each ? [each.advice] : [])))].join(' ')
  return { is: first.is, sentence, ...(advice !== '' && { advice }) }
}

export const failure = (sentence: string, advice: string): Finding => ({ is: 'failure', sentence, advice })
export const warning = (sentence: string, advice: string): Finding => ({ is: 'warning', sentence, advice })
