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

/** Keeps the program from doing anything else. */
function block(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

it('is busy when every turn waits for a tenth of a second, and no more when they do not', async () => {
  open()
  for (let turn = 0; turn < 60 && !watch.isBusy(); turn++) {
    block(150)
    await delay(0)
  }
  expect(watch.isBusy()).toBe(true)
  await expect.poll(() => watch.isBusy()).toBe(false)
  expect(changes).toEqual([true, false])
})

it('is not busy for one long pause in a quiet hour', async () => {
  // Others on this machine may keep the program from running a while longer; in a longer look the pause is lost.
  open({ everyMs: 500 })
  await delay(100)
  block(150)
  await delay(800)
  expect(changes).toEqual([])
})

it('is not busy for a burst that is over within two looks, as of a program that has just started', async () => {
  open({ everyMs: 600 })
  const until = performance.now() + 500
  while (performance.now() < until) {
    block(120)
    await delay(0)
  }
  await delay(1500)
  expect(changes).toEqual([])
})

it('looks at nothing that came before it was started', async () => {
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
