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

/** Measures the clock of a server that is 8 seconds ahead, with a response after `tookMs`. */
function ask(clock: ServerClock, tookMs: number, ahead = aheadMs): void {
  const askedAt = performance.now()
  vi.advanceTimersByTime(tookMs)
  clock.measured(Date.now() + ahead, askedAt)
}

it('keeps its estimate of the server’s clock when a later response was slower and less precise', () => {
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

it('uses a slow response that contradicts its estimate: the server or its clock has changed', () => {
  const clock = makeServerClock()
  ask(clock, 2)
  ask(clock, 2 * second, aheadMs + minute)
  expect(clock.aheadMs()).toBe(aheadMs + minute + second)
})

it('asks again in a few seconds if the first response was slow, and uses the better one', () => {
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

it('asks again when our own clock was set, and corrects its estimate meanwhile', () => {
  const clock = makeServerClock()
  ask(clock, 2)
  vi.setSystemTime(Date.now() - 60 * minute)
  expect(clock.isDoubtful()).toBe(true)
  expect(clock.aheadMs()).toBe(aheadMs + 1 + 60 * minute)
  ask(clock, 4, aheadMs + 60 * minute)
  expect(clock.isDoubtful()).toBe(false)
})
