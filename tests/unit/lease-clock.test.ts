import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeServerClock, type ServerClock } from '../../src/storage/lease-clock.ts'

const second = 1000
const minute = 60 * second
const aheadMs = 8 * second

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A server that is 8 seconds ahead is asked, and says its time when it answers. */
function ask(clock: ServerClock, tookMs: number, ahead = aheadMs): void {
  const askedAt = performance.now()
  vi.advanceTimersByTime(tookMs)
  clock.measured(Date.now() + ahead, askedAt)
}

it('keeps what it knows of the clock of a server when a later answer was slow and says less', () => {
  const clock = makeServerClock()
  ask(clock, 2)
  ask(clock, 20 * second)
  expect(clock.aheadMs()).toBe(aheadMs + 1)
  vi.advanceTimersByTime(11 * minute)
  expect(clock.isDoubtful()).toBe(true)
  ask(clock, 20 * second)
  expect(clock.aheadMs()).toBe(aheadMs + 1)
  expect(clock.isDoubtful()).toBe(false)
})

it('takes a slow answer where both cannot be true: there is another server, or its clock was set', () => {
  const clock = makeServerClock()
  ask(clock, 2)
  ask(clock, 2 * second, aheadMs + minute)
  expect(clock.aheadMs()).toBe(aheadMs + minute + second)
})

it('asks again in a few seconds where the first answer was slow, and takes what is better', () => {
  const clock = makeServerClock()
  expect(clock.isDoubtful()).toBe(true)
  ask(clock, 20 * second)
  expect(clock.isDoubtful()).toBe(false)
  vi.advanceTimersByTime(3 * second)
  expect(clock.isDoubtful()).toBe(true)
  ask(clock, 2)
  expect(clock.aheadMs()).toBe(aheadMs + 1)
  vi.advanceTimersByTime(9 * minute)
  expect(clock.isDoubtful()).toBe(false)
})

it('asks again when our own clock was set, and leads by that of the server meanwhile', () => {
  const clock = makeServerClock()
  ask(clock, 2)
  vi.setSystemTime(Date.now() - 60 * minute)
  expect(clock.isDoubtful()).toBe(true)
  expect(clock.aheadMs()).toBe(aheadMs + 1 + 60 * minute)
  ask(clock, 4, aheadMs + 60 * minute)
  expect(clock.isDoubtful()).toBe(false)
})
