import { expect, it } from 'vitest'
import { makeDayTexts } from '../../src/content/day-texts.ts'

const morning = new Date('2026-04-08T07:00:00+09:00')
const newYear = new Date('2026-01-01T00:30:00+01:00')

it('formats a day in the time zone of the site', () => {
  const tokyo = makeDayTexts({ language: 'ja', timeZone: 'Asia/Tokyo' })
  expect([tokyo.toLongDate(morning), tokyo.toDayOfYear(morning), tokyo.toIsoDay(morning)]).toEqual([
    '2026年4月8日',
    '4月8日',
    '2026-04-08',
  ])
  const vienna = makeDayTexts({ language: 'de-AT', timeZone: 'Europe/Vienna' })
  expect([vienna.toLongDate(newYear), vienna.toYear(newYear)]).toEqual(['1. Jänner 2026', '2026'])
  const utc = makeDayTexts({ language: 'en' })
  expect([utc.toLongDate(newYear), utc.toYear(newYear)]).toEqual(['December 31, 2025', '2025'])
})

it('formats a date without a time as it was written, in every time zone', () => {
  for (const timeZone of ['America/Los_Angeles', 'UTC', 'Pacific/Auckland'])
    expect(makeDayTexts({ language: 'en', timeZone }).toLongDate(new Date('2026-11-20'))).toBe('November 20, 2026')
})

it('has the year in the calendar in which its days are formatted', () => {
  const persian = makeDayTexts({ language: 'fa', timeZone: 'Asia/Tehran' })
  expect(persian.toLongDate(new Date('2026-03-10'))).toContain(persian.toYear(new Date('2026-03-10')))
  expect(persian.toYear(new Date('2026-03-10'))).not.toBe(persian.toYear(new Date('2026-04-10')))
})

it('names the setting if the time zone does not exist', () => {
  expect(() => makeDayTexts({ language: 'en', timeZone: 'Europe/Wien' })).toThrow(
    'site.config.ts: timeZone must be a time zone like Asia/Tokyo or Europe/Berlin, not Europe/Wien',
  )
})
