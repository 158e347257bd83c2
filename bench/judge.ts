import type { Figure } from './history.ts'
import type { Goal, Measure, Row } from './row.ts'

/** How a figure compares with its peer and its bounds. */
export interface Judgement {
  /** Each bound of the figure, and whether it is met. */
  readonly bounds: readonly { readonly text: string; readonly isMet: boolean; readonly isOfRatio: boolean }[]
  /** Whether a bound is missed, or every round was worse than the peer's. */
  readonly isBehind: boolean
  /** How many times better than the peer or the limit; below 1 is worse. Absent when there is neither. */
  readonly lead?: Lead
}

export interface Lead {
  readonly beside: string
  readonly middle: number
  readonly low: number
  readonly high: number
  /** The bound on the same scale. */
  readonly bound?: number
}

const isKept = (is: 'at least' | 'at most', figure: number, bound: number): boolean =>
  is === 'at least' ? figure >= bound : figure <= bound

function isMoreBetter({ better, limit, unit }: Measure, goal: Goal | undefined): boolean {
  if (better) return better === 'more'
  const is = goal?.is ?? limit?.is
  return is ? is === 'at least' : unit === '/s'
}

/** Judges one figure of a row by the goals and limits of the row. */
export function judge(row: Row, measure: Measure, figure: Figure): Judgement {
  const goal = row.goals.find((wanted) => wanted.measure === figure.measure && wanted.peer === figure.peer)
  const goalOfAny = row.goals.find((wanted) => wanted.measure === figure.measure)
  const { limit } = measure
  const { ours, ratio } = figure
  const bounds = [
    ...(goal && ratio !== undefined
      ? [{ text: `${goal.is} ${goal.ratio}`, isMet: isKept(goal.is, ratio, goal.ratio), isOfRatio: true }]
      : []),
    ...(limit
      ? [
          {
            text: `${limit.is} ${limit.figure.toLocaleString('en')} ${measure.unit}`,
            isMet: isKept(limit.is, ours, limit.figure),
            isOfRatio: false,
          },
        ]
      : []),
  ]
  const lead = toLead(figure, isMoreBetter(measure, goal ?? goalOfAny), goal, limit)
  const isBehindPeer = ratio !== undefined && lead !== undefined && lead.high < 1
  return { bounds, isBehind: isBehindPeer || bounds.some(({ isMet }) => !isMet), ...(lead && { lead }) }
}

function toLead(
  { peer, ours, ratio, spread }: Figure,
  isMore: boolean,
  goal: Goal | undefined,
  limit: Measure['limit'],
): Lead | undefined {
  const turn = (share: number): number => {
    if (isMore) return share
    // When less is better, 0 or less is infinitely better.
    return share > 0 ? 1 / share : Number.POSITIVE_INFINITY
  }
  const toRange = (of: number) => {
    const [one, other] = [turn(spread[0] / of), turn(spread[1] / of)]
    return { low: Math.min(one, other), high: Math.max(one, other) }
  }
  if (peer !== undefined && ratio !== undefined)
    return { beside: peer, middle: turn(ratio), ...toRange(1), ...(goal && { bound: turn(goal.ratio) }) }
  // A limit of 0 has no multiples.
  if (!limit || limit.figure === 0) return undefined
  return { beside: 'our limit', middle: turn(ours / limit.figure), ...toRange(limit.figure), bound: 1 }
}
