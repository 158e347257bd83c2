import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toDurationText, toStartText, toWholeSeconds } from '../../src/core/durations.ts'

describe('the length of a recording', () => {
  it.each([
    [0, '00:00'],
    [42_000, '00:42'],
    [247_499, '04:07'],
    [247_500, '04:08'],
    [3_599_499, '59:59'],
    [3_599_500, '1:00:00'],
    [3_723_000, '1:02:03'],
    [36_000_000, '10:00:00'],
  ])('of %i ms is %s', (ms, text) => {
    expect(toDurationText(ms)).toBe(text)
  })

  it('is the same for people and for podcast players', () => {
    fc.assert(
      fc.property(fc.nat(100_000_000), (ms) => {
        const [seconds = 0, minutes = 0, hours = 0] = toDurationText(ms).split(':').toReversed().map(Number)
        expect(hours * 3600 + minutes * 60 + seconds).toBe(toWholeSeconds(ms))
      }),
    )
  })
})

it.each([
  [0, '0:00'],
  [7999, '0:07'],
  [725_000, '12:05'],
  [4_510_000, '75:10'],
])('the position %i ms in a recording is %s', (ms, text) => {
  expect(toStartText(ms)).toBe(text)
})
