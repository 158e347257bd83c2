import { expect, it } from 'vitest'
import { contrast, fromHex } from '../../src/images/covers/colour.ts'
import { facesFor, toSetText } from '../../src/images/covers/faces-for.ts'
import { layOut, setName, setTitle } from '../../src/images/covers/lettering.ts'
import { palettes } from '../../src/images/covers/minimal/palettes.ts'

const fit = { width: 800, height: 600, colour: '#111111', smallest: 36, largest: 130 }

it.each([
  ['The smallest honest shop', ['Latin']],
  ['Žluťoučký kůň — “quoted”', ['Latin', 'Latin Extended']],
  ['Cánh đồng bất tận', ['Latin', 'Latin Extended', 'Vietnamese']],
  ['Цена — целое число', ['Latin', 'Cyrillic']],
  ['Η τιμή είναι ακέραιος', ['Latin', 'Greek']],
  ['料金は整数です', ['Latin', 'Japanese']],
  ['最小的诚实商店', ['Latin', 'Chinese']],
  ['東京物価総覧', ['Latin', 'Japanese']],
  ['가장 작고 정직한 가게', ['Latin', 'Korean']],
  ['Ship it 👩🏽‍🚀', ['Latin', 'Emoji']],
])('has glyphs for %s', (title, families) => {
  expect(facesFor(toSetText(title))?.map(({ family }) => family)).toEqual(families)
})

it.each(['憂鬱な朝', 'मूल्य', 'a → b', 'السعر 料金', 'המחיר हिन्दी'])(
  'knows that it lacks glyphs of %s',
  async (title) => {
    expect(facesFor(toSetText(title))).toBeUndefined()
    expect(await setTitle(title, fit)).toBeUndefined()
  },
)

it('drops invisible characters before it looks for glyphs', () => {
  expect(toSetText('  soft\u00ADhyphen\u200B \uFE0F\n and\u00A0space ')).toBe('softhyphen and space')
})

it('draws full-width letters and digits, half-width kana and the long dash with glyphs that it has', () => {
  expect(toSetText('ＡＩと２０２６年のｶﾞｲﾄﾞ――（上）')).toBe('AIと2026年のガイド——（上）')
  expect(facesFor(toSetText('Café 日記：「ＡＩ」と〜波〜と……三点リーダー――ダッシュ'))).toBeDefined()
})

it('separates the letters of a Persian word where its writer does, and draws no other invisible character', async () => {
  expect(toSetText('می\u200cخواهم\u200c \u200fa\u200cb')).toBe('می\u200cخواهم ab')
  const [parted, joined] = await Promise.all(['می\u200cخواهم', 'میخواهم'].map((title) => setTitle(title, fit)))
  expect(parted?.paths).toBeDefined()
  expect(parted?.paths).not.toBe(joined?.paths)
})

it('sets a name in one size, aligned to the side where its script begins', async () => {
  const line = { width: 800, colour: '#111111', size: 30 }
  const [latin, arabic] = await Promise.all(['Fog horn', 'دفتر الميناء'].map((name) => setName(name, line)))
  expect(latin?.paths).toContain('<path')
  const [, x = '', width = ''] = /x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/.exec(arabic?.paths ?? '') ?? []
  expect(Number(x) + Number(width)).toBeCloseTo(line.width, 0)
  expect(arabic?.height).toBeLessThan(line.size * 2)
  expect(await setName('', line)).toBeUndefined()
})

it('fits a title of any usual length into its box', async () => {
  for (const title of [
    'Go',
    'Donaudampfschifffahrtsgesellschaft',
    '料金は整数です。'.repeat(12),
    'On the many ways to say one thing '.repeat(5),
  ]) {
    const set = await setTitle(title, fit)
    expect(set?.height).toBeLessThanOrEqual(fit.height)
    expect(set?.paths).toContain('<path')
  }
})

it('truncates a title that fits in no size between words, with an ellipsis', async () => {
  const low = { ...fit, height: 100 }
  const words = 'On the many ways to say one thing '.repeat(20).split(' ')
  const set = await setTitle(words.join(' '), low)
  const beginnings = words.slice(0, 30).map((_, count) => `${words.slice(0, count + 1).join(' ')}…`)
  const layouts = await Promise.all(beginnings.map((text) => layOut(text, low.smallest, low.width, low.colour)))
  expect(layouts.filter((layout) => layout?.paths === set?.paths)).toHaveLength(1)
  expect(layouts[layouts.findIndex((layout) => layout?.paths === set?.paths) + 1]?.height).toBeGreaterThan(low.height)
  expect((await setTitle('Donau'.repeat(60), low))?.height).toBeLessThanOrEqual(low.height)
})

it('sets a short title larger than a long one', async () => {
  const [short, long] = await Promise.all(['Go', 'Go on '.repeat(20)].map((title) => setTitle(title, fit)))
  expect(short?.height).toBeGreaterThan(fit.largest)
  expect(long?.height).toBeGreaterThan(short?.height ?? 0)
})

it('uses ink with enough contrast on its paper', () => {
  for (const { paper, ink } of palettes) expect(contrast(fromHex(paper), fromHex(ink))).toBeGreaterThan(11)
})

it('does not break a word that fits on a line, even to balance the lines', async () => {
  const strokesOf = async (text: string) =>
    [...((await layOut(text, 130, 800, '#000'))?.paths.matchAll(/M([\d.]+) /g) ?? [])].map(([, x]) => x).join(' ')
  expect(await strokesOf('What the mountain keeps')).toContain(await strokesOf('mountain'))
})

it.each(['السعر عدد صحيح دائمًا (2025)!', 'הסכם <HTTP> 402 & לתשלום', 'המחיר הוא תמיד מספר שלם '.repeat(400)])(
  'sets %s right-aligned in its box',
  async (title) => {
    const set = await setTitle(title, fit)
    const [, x = '', width = '', height = ''] =
      /x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="([\d.]+)"/.exec(set?.paths ?? '') ?? []
    expect(Number(x) + Number(width)).toBeCloseTo(fit.width, 0)
    expect(Number(width)).toBeGreaterThan(100)
    expect(Number(height)).toBeLessThanOrEqual(fit.height)
  },
)
