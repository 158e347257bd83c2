import { expect, it } from 'vitest'
import type { TakePlace } from '../../src/payments/purchase/take-place.ts'
import { makeWorkSlots } from '../../src/payments/purchase/work-slots.ts'

const sepolia = 'eip155:84532'

/** Places that several programs share, as a database gives them out. */
function openPlaces() {
  const taken = new Map<string, number>()
  const take: TakePlace = async (name, count) => {
    const before = taken.get(name) ?? 0
    if (before >= count) return undefined
    taken.set(name, before + 1)
    return () => void taken.set(name, (taken.get(name) ?? 0) - 1)
  }
  return { take, taken }
}

it('gives out as many slots as the limit, for each product and network', async () => {
  const slots = makeWorkSlots()
  const leave = await slots.enter('pack', 2)
  expect(leave).toBeTypeOf('function')
  expect(await slots.enter('pack', 2)).toBeTypeOf('function')
  expect(await slots.enter('pack', 2)).toBeUndefined()
  expect(await slots.enter('image', 2)).toBeTypeOf('function')
  expect(await slots.enter('pack', 2, sepolia)).toBeTypeOf('function')
  expect([...slots.inUse()]).toEqual([
    ['pack', 3],
    ['image', 1],
  ])
})

it('gets a slot back once, however often it is given back', async () => {
  const slots = makeWorkSlots()
  const leave = await slots.enter('pack', 2)
  await slots.enter('pack', 2)
  leave?.()
  leave?.()
  expect(slots.inUse().get('pack')).toBe(1)
  expect(await slots.enter('pack', 2)).toBeTypeOf('function')
  expect(await slots.enter('pack', 2)).toBeUndefined()
})

it('gives out no more slots than the limit over all programs, and both programs get them back', async () => {
  const { take, taken } = openPlaces()
  const [one, two] = [makeWorkSlots(take), makeWorkSlots(take)]
  const leave = await one.enter('pack', 1)
  expect(leave).toBeTypeOf('function')
  expect(await two.enter('pack', 1)).toBeUndefined()
  expect(two.inUse().get('pack')).toBe(0)
  expect(await two.enter('pack', 1, sepolia)).toBeTypeOf('function')
  leave?.()
  expect([one.inUse().get('pack'), taken.get('work pack eip155:8453')]).toEqual([0, 0])
  expect(await two.enter('pack', 1)).toBeTypeOf('function')
})

it('gives out the slots of its own process while the database cannot be asked', async () => {
  const slots = makeWorkSlots(() => Promise.reject(new Error('the database is away')))
  const leave = await slots.enter('pack', 1)
  expect(leave).toBeTypeOf('function')
  expect(await slots.enter('pack', 1)).toBeUndefined()
  leave?.()
  expect(await slots.enter('pack', 1)).toBeTypeOf('function')
})
