import { expect, test } from 'vitest'
import { keepRecent } from '../../src/core/keep-recent.ts'

function makeCounting(atMost: number) {
  const found: string[] = []
  const find = keepRecent(
    (key: string) => {
      found.push(key)
      return key === 'none' ? undefined : key.repeat(100)
    },
    { atMost, sizeOf: (value) => value?.length ?? 0 },
  )
  return { find, found }
}

test('a value is computed once and then cached, even undefined', () => {
  const { find, found } = makeCounting(10_000)
  expect([find('a'), find('a'), find('none'), find('none')]).toEqual([
    'a'.repeat(100),
    'a'.repeat(100),
    undefined,
    undefined,
  ])
  expect(found).toEqual(['a', 'none'])
})

test('the least recently used value is evicted when the cache is full', () => {
  const { find, found } = makeCounting(500)
  find('a')
  find('b')
  find('a')
  find('c')
  find('a')
  expect(found).toEqual(['a', 'b', 'c'])
  find('b')
  expect(found).toEqual(['a', 'b', 'c', 'b'])
})

test('a value larger than the cache is returned and not cached, and values without a size take space, too', () => {
  const { find, found } = makeCounting(200)
  find('a')
  find('a')
  expect(found).toEqual(['a', 'a'])
  for (const key of ['none', 'x', 'none']) find(key)
  expect(found.filter((key) => key === 'none')).toHaveLength(2)
})

test('the callback gets each evicted value once', () => {
  const forgotten: string[] = []
  const find = keepRecent((key: string) => key.repeat(100), {
    atMost: 500,
    sizeOf: ({ length }) => length,
    onForgotten: (value) => forgotten.push(value.slice(0, 1)),
  })
  for (const key of ['a', 'b', 'a', 'c']) find(key)
  expect(forgotten).toEqual(['b'])
  find('larger'.repeat(10))
  expect(forgotten).toEqual(['b', 'a', 'c', 'l'])
})

test('with onlyRepeated, a value is cached when its key is requested again', () => {
  const found: string[] = []
  const forgotten: string[] = []
  const find = keepRecent(
    (key: string) => {
      found.push(key)
      return `${key}${found.length}`
    },
    { atMost: 500, sizeOf: () => 100, onForgotten: (value) => forgotten.push(value), onlyRepeated: true },
  )
  expect([find('a'), find('a'), find('a')]).toEqual(['a1', 'a2', 'a2'])
  expect(forgotten).toEqual(['a1'])
})

test('with onlyRepeated, keys that are requested once evict nothing, and are forgotten themselves', () => {
  const found: string[] = []
  const find = keepRecent((key: string) => found.push(key), { atMost: 500, sizeOf: () => 100, onlyRepeated: true })
  for (const key of ['a', 'a', 'b', 'c', 'd', 'a']) find(key)
  expect(found).toEqual(['a', 'a', 'b', 'c', 'd'])
  // Two others were requested since, which is all that fits, so that it counts as requested for the first time.
  for (const key of ['b', 'b', 'b']) find(key)
  expect(found.slice(5)).toEqual(['b', 'b'])
})

test('long keys take space', () => {
  const found: string[] = []
  const find = keepRecent((key: string) => found.push(key), { atMost: 1000, sizeOf: () => 0 })
  for (const key of ['a', 'k'.repeat(400), 'a']) find(key)
  expect(found).toHaveLength(3)
})
