import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { makeEventLoopDelays } from '../../src/core/event-loop-delays.ts'

const delays = makeEventLoopDelays()
afterEach(delays.close)

it('tells how long the event loop was blocked, and not the time between two looks', async () => {
  delays.start()
  // At rest: other programs may take the processor, but not most of the time.
  await delay(2000)
  expect(delays.quantileMs(0.5)).toBeLessThan(25)
  delays.reset()
  // Its first interval only begins to count.
  await delay(200)
  const until = performance.now() + 300
  while (performance.now() < until);
  await delay(100)
  expect(delays.quantileMs(1)).toBeGreaterThan(200)
  delays.reset()
  expect(delays.quantileMs(1)).toBe(0)
})
