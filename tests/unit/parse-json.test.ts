import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../functions/session-status/read/parse-json.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

describe('JSON from strangers', () => {
  it('is parsed unchanged, whatever it contains', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(parseJson(text)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('may have brackets within strings, and a byte order mark', () => {
    const value = { text: `"${'['.repeat(600)}\\` }
    expect(parseJson(`\uFEFF${JSON.stringify(value)}`)).toEqual(value)
  })

  it('may be nested 512 deep, and no deeper', () => {
    expect(parseJson(nested(512))).toBeDefined()
    expect(parseJson(nested(513))).toBeUndefined()
    expect(parseJson(`[${nested(500)},${nested(500)}]`)).toHaveLength(2)
  })

  it('is undefined if it is not JSON', () => {
    expect(['', '<html>', '{"a":', '"', '\\'].map(parseJson)).toEqual(Array(5).fill(undefined))
  })
})
