import { expect, it } from 'vitest'
import { readQuery } from '../../src/http/read-query.ts'
import { resourceQuery } from '../../src/offers/resource-list.ts'
import { asking } from '../../src/routes/parameters.ts'

it('states the bounds of a query for paid resources, in refusals and in the description', () => {
  const bound = 9_999_999_999
  expect(readQuery(resourceQuery, new URLSearchParams(`offset=${bound}`))).toMatchObject({ value: { offset: bound } })
  for (const offset of ['-1', `${bound + 1}`])
    expect(readQuery(resourceQuery, new URLSearchParams({ offset }))).toMatchObject({
      errors: [{ parameter: 'offset', detail: `must be a whole number from 0 to ${bound}` }],
    })
  const described = asking(resourceQuery).parameters.find(({ name }) => name === 'offset')
  expect(described?.schema).toMatchObject({ type: 'integer', minimum: 0, maximum: bound })
})
