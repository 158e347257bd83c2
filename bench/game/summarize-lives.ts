import type { Life } from './life.ts'

/**
 * For each bot, the largest share of its deaths that one cause may have; more for the random bot, which knows nothing.
 */
export const mostOfOneCause = { random: 0.4, greedy: 0.25, careful: 0.25 }

export interface Summary {
  bot: string
  lives: number
  wins: number
  /** The share of lives, from 0 to 1, that reached each depth; the first is depth 1. */
  reached: number[]
  /** Quantiles of the deepest level reached: a tenth, the median and nine tenths. */
  depths: { tenth: number; median: number; ninety: number }
  decisions: number
  turnsPerDecision: number
  kills: number
  gold: number
  itemsUsed: number
  /** The share of each cause among all deaths, the commonest first. */
  causes: { cause: string; share: number }[]
  /** Uses of each item per life, the commonest first. */
  used: { name: string; perLife: number }[]
}

/** The figures of one bot's lives. */
export function summarizeLives(bot: string, lives: readonly Life[]): Summary {
  const count = lives.length
  const died = lives.filter(({ hasWon }) => !hasWon)
  const depths = lives.map(({ depth }) => depth).toSorted((a, b) => a - b)
  const at = (share: number) => depths[Math.min(count - 1, Math.floor(share * count))] ?? 0
  const mean = (of: (life: Life) => number) => lives.reduce((sum, life) => sum + of(life), 0) / count
  const used = new Map<string, number>()
  for (const life of lives)
    for (const [name, times] of Object.entries(life.used)) used.set(name, (used.get(name) ?? 0) + times)
  const uses = [...used].map(([name, times]) => ({ name, perLife: times / count }))
  return {
    bot,
    lives: count,
    wins: count - died.length,
    reached: Array.from({ length: 12 }, (_, n) => depths.filter((depth) => depth > n).length / count),
    depths: { tenth: at(0.1), median: at(0.5), ninety: at(0.9) },
    decisions: mean(({ decisions }) => decisions),
    turnsPerDecision: mean(({ turns }) => turns) / mean(({ decisions }) => decisions),
    kills: mean(({ kills }) => kills),
    gold: mean(({ gold }) => gold),
    itemsUsed: uses.reduce((sum, { perLife }) => sum + perLife, 0),
    causes: shares(died.map(({ cause }) => cause)),
    used: uses.toSorted((a, b) => b.perLife - a.perLife),
  }
}

function shares(causes: readonly string[]): Summary['causes'] {
  const counts = new Map<string, number>()
  for (const cause of causes) counts.set(cause, (counts.get(cause) ?? 0) + 1)
  return [...counts]
    .map(([cause, times]) => ({ cause, share: times / causes.length }))
    .toSorted((a, b) => b.share - a.share || a.cause.localeCompare(b.cause))
}
