import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readHttpDate } from '../../src/core/http-date.ts'

const now = Date.parse('2026-11-27T12:00:00Z')
const noon = Date.parse('1994-11-06T08:49:37Z')

it.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
  'reads the date of a header in the form %s, in any time zone of the machine',
  (text) => {
    expect(readHttpDate(text, now)).toBe(noon)
    expect(readHttpDate(` ${text}\t`, now)).toBe(noon)
  },
)

it('reads every date that this program writes', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
      expect(readHttpDate(date.toUTCString())).toBe(Math.floor(date.getTime() / 1000) * 1000)
    }),
  )
})

it.each([
  ['Monday, 16-Nov-26 09:00:00 GMT', '2026-11-16T09:00:00Z'],
  ['Saturday, 28-Nov-76 09:00:00 GMT', '2076-11-28T09:00:00Z'],
  ['Monday, 28-Nov-77 09:00:00 GMT', '1977-11-28T09:00:00Z'],
])(
  'takes a year of two digits for the nearest, and for a past one rather than one more than 50 years ahead: %s',
  (text, iso) => {
    expect(readHttpDate(text, now)).toBe(Date.parse(iso))
  },
)

it.each([
  '',
  '0',
  '-1',
  '1.5',
  '2026',
  '1795176010',
  'soon',
  'yesterday 1',
  '2026-11-20T12:00:10Z',
  'Fri, 20 Nov 2026 12:00:10',
  'Fri, 20 Nov 2026 12:00:10 PST',
  'Fri, 20 Nov 2026 12:00:10 +0000',
  'Fri, 20 Nov 2026 24:00:00 GMT',
  'Fri, 20 Nov 2026 12:60:00 GMT',
  'Mon, 30 Feb 2026 12:00:10 GMT',
  'Fri, 00 Nov 2026 12:00:10 GMT',
  'Fri, 20 Nov 2026 12:00:10 GMT, Fri, 20 Nov 2026 12:00:10 GMT',
  'Fri, 20 Nov 20260 12:00:10 GMT',
])('does not read %j as a date', (text) => {
  expect(readHttpDate(text, now)).toBeUndefined()
})
