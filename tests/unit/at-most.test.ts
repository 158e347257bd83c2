import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { atMost } from '../../src/core/at-most.ts'

it('runs a limited number of tasks at once, in order of arrival, whether they succeed or fail', async () => {
  const inTurn = atMost(3)
  const begun: number[] = []
  let running = 0
  let most = 0
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, at) =>
      inTurn(async () => {
        begun.push(at)
        most = Math.max(most, ++running)
        await delay(1)
        running--
        if (at % 2 === 0) throw new Error(`${at} failed`)
        return at
      }),
    ),
  )
  expect([most, running, begun]).toEqual([3, 0, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]])
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(begun.map((at) => at % 2 === 1))
  expect(await inTurn(async () => 'after them')).toBe('after them')
})
