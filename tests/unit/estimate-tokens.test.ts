import { readdirSync, readFileSync } from 'node:fs'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../src/core/estimate-tokens.ts'

const read = (file: string): string => readFileSync(file, 'utf8')
const isWithin = (share: number, text: string): void => {
  const off = estimateTokens(text) / countTokens(text)
  expect(off).toBeGreaterThan(1 - share)
  expect(off).toBeLessThan(1 + share)
}

describe('the token estimate', () => {
  it.each(readdirSync('content/posts').filter((name) => name.endsWith('.mdx')))(
    'is within ten percent of a tokenizer for %s',
    (name) => isWithin(0.1, read(`content/posts/${name}`)),
  )

  it.each(['src/offers/offer.ts', 'content/crawlers.json', 'README.md'])(
    'is as good for code, data and tables: %s',
    (file) => isWithin(0.1, read(file)),
  )

  it.each([
    ['Russian', 'Съешь же ещё этих мягких французских булок, да выпей чаю. Это все буквы русского алфавита.'],
    ['French', 'Le petit chat dort près de la fenêtre pendant que la pluie tombe doucement sur les toits.'],
    ['German', 'Der Müller mahlt das Korn am großen Fluss, und die Kinder spielen draußen vor der Tür.'],
    ['Chinese', '敏捷的棕色狐狸跳过了懒狗。我们今天讨论支付协议和代理。'],
    ['Korean', '다람쥐 헌 쳇바퀴에 타고파. 오늘은 결제 프로토콜에 대해 이야기합니다.'],
    ['Arabic', 'هذا نص عربي بسيط للتجربة عن المدفوعات الصغيرة بين البرامج والناس'],
  ])('is within 25 percent in %s', (_, text) => isWithin(0.25, text))

  it('is zero for an empty text', () => {
    expect(estimateTokens('')).toBe(0)
  })
})
