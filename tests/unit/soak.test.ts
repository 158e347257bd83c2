import { describe, expect, it } from 'vitest'
import { keepSection, withSection } from '../../bench/kept-section.ts'
import { findDrifts, isTooMuch } from '../../bench/soak/drift.ts'
import { readSoakOptions } from '../../bench/soak/options.ts'
import { type MemorySample, openRecord } from '../../bench/soak/record.ts'
import { summarize } from '../../bench/soak/summary.ts'

const minute = 60
/** Memory samples of a process every 10 seconds, from one minute to another. */
function life(program: string, number: number, from: number, to: number, rssAt: (minute: number) => number) {
  const samples: MemorySample[] = []
  for (let second = from * minute; second < to * minute; second += 10)
    samples.push({ second, program, life: number, rss: rssAt(second / minute) })
  return samples
}
const options = readSoakOptions(['--warm-up', '5'])
const summaryOf = (memory: readonly MemorySample[], failures: readonly string[] = []) => {
  const { record, fail, request } = openRecord(120, 'a machine', () => {})
  record.memory.push(...memory)
  request('site', 12)
  for (const what of failures) fail(what)
  return summarize(record, options)
}

describe('two hours of load', () => {
  it('pass if memory is stable, however much a process takes to warm up', () => {
    const memory = life('game', 1, 0, 120, (at) => (at < 5 ? 10_000 : 100_000 + (at % 3)))
    const [drift] = findDrifts(memory, 300)
    expect(drift?.minutes).toBeCloseTo(115, 0)
    expect(Math.abs(drift?.percent ?? Number.NaN)).toBeLessThan(0.1)
    expect(summaryOf(memory).passed).toBe(true)
  })

  it('fail if a process grows by more than five percent', () => {
    const memory = life('game', 1, 0, 120, (at) => 100_000 + at * 100)
    expect(findDrifts(memory, 300).map(isTooMuch)).toEqual([true])
    const { passed, text } = summaryOf(memory)
    expect(passed).toBe(false)
    expect(text).toContain('| game | 115 | 98 |')
    expect(text).toContain('(too much)')
  })

  it('fail if each process is stable, but every new one needs more', () => {
    const memory = [1, 2, 3, 4].flatMap((n) => life('site-1', n, 30 * (n - 1), 30 * n, () => 100_000 + n * 3000))
    const drifts = findDrifts(memory, 300)
    expect(drifts.map(({ life: of, counts }) => [of, counts])).toEqual([
      [undefined, true],
      [1, true],
      [2, true],
      [3, true],
      [4, true],
    ])
    expect(drifts.map(isTooMuch)).toEqual([true, false, false, false, false])
  })

  it('ignore processes that ran for a few minutes only', () => {
    const memory = life('game', 1, 0, 10, (at) => 100_000 + at * 5000)
    expect(summaryOf(memory).passed).toBe(true)
  })

  it('fail for each failed request, and report it', () => {
    const { passed, text } = summaryOf([], ['site GET /: 500'])
    expect([passed, text.includes('site GET /: 500')]).toEqual([false, true])
  })
})

describe('the performance page', () => {
  it('keeps the section about load once when its table is rewritten', () => {
    const first = withSection('# Performance\n\nold\n', 'load', '## Load\n\none\n')
    const anew = keepSection(first, '# Performance\n\nnew\n', 'load')
    expect(anew).toContain('new\n')
    expect(anew).toContain('## Load\n\none')
    const second = withSection(withSection(anew, 'start', '## Start\n\nthree\n'), 'load', '## Load\n\ntwo\n')
    expect(second.match(/## Load/g)).toHaveLength(1)
    expect(second).toContain('two')
    expect(second).toContain('## Start\n\nthree')
    expect(keepSection('# Performance\n', '# Performance\n\nnew\n', 'load')).toBe('# Performance\n\nnew\n')
  })
})

it('the duration and intervals of a soak test are parsed, and an invalid one is named', () => {
  expect(readSoakOptions(['--minutes', '6'])).toMatchObject({ minutes: 6, restartEvery: 30, buildEvery: 10 })
  expect(() => readSoakOptions(['--minutes', 'long'])).toThrow('--minutes must be a number above 0')
})
