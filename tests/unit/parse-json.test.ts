import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../functions/session-status/read/parse-json.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

describe('JSON of strangers', () => {
  it('is read as it is, whatever stands in it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(parseJson(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('is read where brackets are a part of its texts, and behind a byte order mark', () => {
    const value = { text: `"${'['.repeat(600)}\\` }
    expect(parseJson(`\uFEFF${JSON.stringify(value)}`)).toEqual(value)
  })

  it('is read to a depth of 512, and no deeper', () => {
    expect(parseJson(nested(512))).toBeDefined()
    expect(parseJson(nested(513))).toBeUndefined()
    expect(parseJson(`[${nested(500)},${nested(500)}]`)).toHaveLength(2)
  })

  it('is nothing where it is not JSON', () => {
    expect(['', '<html>', '{"a":', '"', '\\'].map(parseJson)).toEqual(Array(5).fill(undefined))
  })
})
