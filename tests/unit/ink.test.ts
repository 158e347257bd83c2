import { describe, expect, it } from 'vitest'
import { hasBlankSign, hasInk } from '../../src/core/ink.ts'
import { checkClient } from '../../src/oauth/check-client.ts'
import { boundedText } from '../../src/offers/bounded-text.ts'

const unseen = [
  ...['', ' ', '\u3164', '\uffa0', '\u115f\u1160', '\u2800', '\u{1d159}', '\u{13441}\u{13442}', '\u200b', '\u00ad'],
  ...['\ufe0f', '\u034f', '\u0301', '\u17b4', '\u180e', '\u{e0061}', '\t\u0000\n'],
]
const seen = ['a', '한글', 'अ', '👍', '❤\ufe0f', '5', '…', '⠓⠊', '\u3164a', 'สวัสดี']

describe('text', () => {
  it.each(unseen)('%j is invisible', (text) => {
    expect(hasInk(text)).toBe(false)
    expect(boundedText().safeParse(text).success).toBe(false)
  })

  it.each(seen)('%j is visible', (text) => {
    expect(hasInk(text)).toBe(true)
    expect(boundedText().safeParse(text).success).toBe(true)
  })

  it('is searched for letters that are drawn blank', () => {
    expect(['a', '한글', '⠓⠊', '❤\ufe0f', 'a b'].filter(hasBlankSign)).toEqual([])
    expect(['\u3164a', 'a\u2800b', '\u1160'].filter(hasBlankSign)).toHaveLength(3)
  })
})

it('invisible text cannot be the name of a program that asks the operator for access', () => {
  const register = (name: string) => () =>
    checkClient({ client_id: 'c', redirect_uris: ['https://shop.example/back'], client_name: name })
  expect(register('Writing desk 2')).not.toThrow()
  for (const name of ['', ' ', '\u3164', 'Far\u3164thing', '\u2800\u2800'])
    expect(register(name), name).toThrow('invalid_client_metadata')
})
