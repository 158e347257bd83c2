import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { watchEventLoop } from '../../src/http/watch-event-loop.ts'

let watch: ReturnType<typeof watchEventLoop>
let changes: boolean[]
const open = ({ everyMs = 300 } = {}) => {
  changes = []
  watch = watchEventLoop({ everyMs, minCpuShare: 0.05, onChange: (isBusy) => changes.push(isBusy) })
  watch.start()
}
afterEach(() => watch.close())

/** Blocks the event loop. */
function block(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

it('is busy if every turn is delayed by 100 ms, and no more afterwards', async () => {
  open()
  for (let turn = 0; turn < 60 && !watch.isBusy(); turn++) {
    block(150)
    await delay(0)
  }
  expect(watch.isBusy()).toBe(true)
  await expect.poll(() => watch.isBusy()).toBe(false)
  expect(changes).toEqual([true, false])
})

it('is not busy after one long pause in a quiet hour', async () => {
  // Other processes may extend the pause; in a longer interval it counts for less.
  open({ everyMs: 500 })
  await delay(100)
  block(150)
  await delay(800)
  expect(changes).toEqual([])
})

it('is not busy after a burst that is over within two intervals, as at program start', async () => {
  open({ everyMs: 600 })
  const until = performance.now() + 500
  while (performance.now() < until) {
    block(120)
    await delay(0)
  }
  await delay(1500)
  expect(changes).toEqual([])
})

it('ignores everything before it was started', async () => {
  changes = []
  watch = watchEventLoop({ everyMs: 200, minCpuShare: 0.05, onChange: (isBusy) => changes.push(isBusy) })
  for (let turn = 0; turn < 10; turn++) {
    block(150)
    await delay(0)
  }
  expect([watch.isBusy(), changes]).toEqual([false, []])
  watch.start()
  await delay(500)
  expect(changes).toEqual([])
})
