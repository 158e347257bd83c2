import { describe, expect, it } from 'vitest'
import { roundsOf, toFigures } from '../../bench/compare.ts'
import { type Run, readHistory, toHistoryText, withRun } from '../../bench/history.ts'

const run = (date: string, ours = 1): Run => ({
  date,
  commit: 'abc1234',
  machine: 'a machine, 2 cores',
  load: 0.4,
  rounds: 3,
  figures: [{ measure: 'answers', peer: 'a peer', ours, theirs: 2, ratio: ours / 2, spread: [0.4, 0.6] }],
})
const days = Array.from({ length: 12 }, (_, at) => `2026-11-${10 + at}`)

describe('the history of the benchmarks', () => {
  it('keeps the last ten runs of a row, the oldest first', () => {
    const history = days.reduce((kept, day) => withRun(kept, 'search', run(day)), {})
    expect(readHistory(toHistoryText(history)).search?.map(({ date }) => date)).toEqual(days.slice(2))
  })

  it('changes only the row that was measured', () => {
    const before = { images: [run('2026-11-01', 7)], search: [run('2026-11-02')] }
    const after = withRun(before, 'search', run('2026-11-03'))
    expect(after.images).toEqual(before.images)
    expect(after.search?.map(({ date }) => date)).toEqual(['2026-11-02', '2026-11-03'])
    const [old, fresh] = [before, after].map((history) => toHistoryText(history).split('\n'))
    expect(fresh?.filter((line) => !old?.includes(line.replace(/,$/, '')) && !old?.includes(line))).toHaveLength(1)
  })

  it('stores the figures of a run with six digits', () => {
    const kept = readHistory(
      toHistoryText({ search: [{ ...run('2026-11-03', 1234.56789), missing: { nginx: 'is not here' } }] }),
    )
    expect(kept.search?.[0]).toMatchObject({
      ...run('2026-11-03', 1234.57),
      missing: { nginx: 'is not here' },
      figures: [{ ratio: 617.284 }],
    })
  })

  it('is refused if it has been edited into another format', () => {
    expect(() => readHistory('{"search":[{"date":"2026-11-03"}]}')).toThrow()
  })
})

describe('the figures of a benchmark', () => {
  const measures = [
    { name: 'keys', unit: '/s', digits: 0 },
    { name: 'wait', unit: 'ms', digits: 0 },
  ]
  const own = [10, 30, 20].map((keys) => ({ keys, wait: keys * 2 }))

  it('are medians over the rounds, with ratios per round', () => {
    const theirs = [10, 10, 40].map((keys) => ({ keys, wait: 1 }))
    expect(toFigures(measures, own, [{ peer: 'a peer', samples: theirs }])[0]).toEqual({
      ...{ measure: 'keys', peer: 'a peer', ours: 20, theirs: 10, ratio: 1, spread: [0.5, 3] },
    })
  })

  it('have no ratio where no peer has the same measure, and then appear once', () => {
    const samples = [{ keys: 1 }, { keys: 1 }, { keys: 1 }]
    const figures = toFigures(measures, own, [
      { peer: 'a peer', samples },
      { peer: 'another', samples },
    ])
    expect(figures.map(({ measure, peer }) => [measure, peer])).toEqual([
      ['keys', 'a peer'],
      ['keys', 'another'],
      ['wait', undefined],
    ])
    expect(figures.at(-1)).toEqual({ measure: 'wait', ours: 40, spread: [20, 60] })
  })

  it('have no ratio to zero, and are omitted when the system cannot measure them', () => {
    const samples = [0, 0, 0].map((keys) => ({ keys, wait: Number.NaN }))
    const figures = toFigures(measures, own, [{ peer: 'a peer', samples }])
    expect(figures).toEqual([{ measure: 'keys', peer: 'a peer', ours: 20, theirs: 0, spread: [10, 30] }])
    expect(() => readHistory(toHistoryText({ search: [{ ...run('2026-11-03'), figures }] }))).not.toThrow()
  })
})

it('a benchmark with rounds of hours has no warm-up round', () => {
  expect(roundsOf({}, 2)).toEqual([0, 1, 2])
  expect(roundsOf({ hasNoWarmUp: true }, 2)).toEqual([1, 2])
})
