import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTwoShops } from '../support/two-shops.ts'

let two: Awaited<ReturnType<typeof openTwoShops>>
beforeAll(async () => {
  two = await openTwoShops()
})
afterAll(() => two?.close())

describe('a change that a site makes known', () => {
  it.each([
    ['the site that makes it', 1, 0],
    ['the site that hears of it', 0, 1],
  ] as const)('reaches the other site once %s has its session with the database again', async (name, from, to) => {
    let changes = 0
    for (const at of [0, 1]) two.shops[at]?.siblings.onChange(name, () => at === to && changes++)
    const before = two.breaks.length
    two.way.refuse(true)
    two.way.cut()
    // More than one when the session was cut while it was still being renewed after the case before.
    await expect.poll(() => two.breaks.length).toBeGreaterThan(before)
    two.shops[from].siblings.tell(name)
    expect(changes).toBe(0)
    two.way.refuse(false)
    await expect.poll(() => changes).toBe(1)
    expect(two.errors).toEqual([])
  })
})
