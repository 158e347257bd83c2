import { expect, it } from 'vitest'
import { withCoverLooks } from '../../src/content/cover-looks.ts'
import { coverStyles } from '../../src/core/cover-styles.ts'

const looksOf = (ids: readonly string[]) =>
  withCoverLooks(ids.map((id) => ({ id, data: {} as { cover?: { style: (typeof coverStyles)[number] } } }))).map(
    ({ data }) => data.cover?.style,
  )
const ids = Array.from({ length: 60 }, (_, place) => `post-${place}`)

it('gives neighbouring posts different looks, and uses all of them', () => {
  const looks = looksOf(ids)
  expect(looks.filter((look, place) => look === looks[place + 1])).toEqual([])
  expect(new Set(looks)).toEqual(new Set(coverStyles))
})

it('keeps the look of a post when newer ones are added', () => {
  expect(looksOf(['newest', 'newer', ...ids]).slice(2)).toEqual(looksOf(ids))
})

it('keeps the look that a post asks for, and leaves its own picture alone', () => {
  const [, asked, own] = withCoverLooks([
    { id: 'a', data: {} },
    { id: 'b', data: { cover: { style: 'photographic' as const } } },
    { id: 'c', data: { image: { src: './c.jpg', alt: 'C' } } },
  ])
  expect([asked?.data.cover?.style, own?.data]).toEqual(['photographic', { image: { src: './c.jpg', alt: 'C' } }])
})
