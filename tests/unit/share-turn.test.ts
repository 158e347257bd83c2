import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { shareTurn } from '../../src/core/share-turn.ts'

/** Counts its calls; each returns the value that was known when it started. */
function openCounter() {
  const known = { value: 0, looks: 0 }
  const read = shareTurn(async () => {
    known.looks++
    return known.value
  })
  return { known, read }
}

it('runs once for all callers in one callback of the event loop, with changes made in it', async () => {
  const { known, read } = openCounter()
  const [first, second] = [read(), read()]
  known.value = 1
  expect(await Promise.all([first, second, read()])).toEqual([1, 1, 1])
  expect(known.looks).toBe(1)
})

it('runs before the next turn of the event loop, so that responses are not kept waiting by new requests', async () => {
  const { read } = openCounter()
  let hasTurned = false
  const turn = nextTurn().then(() => (hasTurned = true))
  await read()
  expect(hasTurned).toBe(false)
  await turn
})

it('never returns the result of a run that started before the call', async () => {
  let finish: (() => void) | undefined
  const looks: string[] = []
  let value = 'before'
  const read = shareTurn(async () => {
    const seen = value
    looks.push(seen)
    if (looks.length === 1) await new Promise<void>((resolve) => (finish = resolve))
    return seen
  })
  const early = read()
  await nextTurn()
  await nextTurn()
  expect(looks).toEqual(['before'])
  value = 'after'
  expect(await read()).toBe('after')
  finish?.()
  expect(await early).toBe('before')
})

it('runs again after a failure, which all callers that shared it get', async () => {
  let isBroken = true
  const read = shareTurn(async () => {
    if (isBroken) throw new Error('away')
    return 'here'
  })
  const told = await Promise.allSettled([read(), read()])
  expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isBroken = false
  expect(await read()).toBe('here')
})
