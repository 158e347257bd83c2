import { afterAll, describe, expect, it } from 'vitest'
import { findMaker, findProducts } from '../../src/offers/find-products.ts'
import { toOffers } from '../../src/offers/products.ts'
import { openProductTree } from '../support/product-tree.ts'

const closes: (() => void)[] = []
afterAll(() => {
  for (const close of closes) close()
})

const toOffer = (change: object = {}) => `import { z } from 'zod'
import { defineOffer } from '../../src/offers/offer.ts'
export default defineOffer({
  ...${JSON.stringify({
    ...{ slug: 'bell', lane: 'hostedApi', title: 'Ring a bell', excerpt: 'It rings.', method: 'POST', path: '/bell' },
    ...{ mimeType: 'text/plain', example: { times: 2 }, delivers: ['A ring.'], fileName: 'bell.txt', sample: 'ding' },
    ...change,
  })},
  price: 10_000n,
  input: z.strictObject({ times: z.int().max(3, 'must be at most 3') }),
})
`
const make = 'export default () => async () => ({})'
const bell = { 'functions/bell/offer.ts': toOffer(), 'functions/bell/make.ts': make }

function open(files: Readonly<Record<string, string>>) {
  const { functions, close } = openProductTree(files)
  closes.push(close)
  return functions
}
const ids = async (files: Readonly<Record<string, string>>) =>
  toOffers(await findProducts(open(files)), []).map(({ id }) => id)

describe('the products of a press', () => {
  it('are those declared by the folders, by position and then by name', async () => {
    const horn = { slug: 'horn', path: '/horn', position: 7 }
    const anvil = { slug: 'anvil', path: '/anvil' }
    const more = {
      'functions/horn/offer.ts': toOffer(horn),
      'functions/horn/make.ts': make,
      'functions/anvil/offer.ts': toOffer(anvil),
      'functions/anvil/make.ts': make,
      'functions/a-file.ts': 'export {}',
    }
    expect(await ids({ ...bell, ...more })).toEqual(['horn', 'anvil', 'bell'])
  })

  it.each([
    ['no make.ts', { 'functions/bell/offer.ts': toOffer() }, 'functions/bell lacks make.ts, which says how it is made'],
    ['no offer.ts', { 'functions/bell/make.ts': make }, 'functions/bell lacks offer.ts, which says what is sold'],
    [
      'a slug that is not its name',
      { ...bell, 'functions/bell/offer.ts': toOffer({ slug: 'gong' }) },
      "functions/bell/offer.ts: the slug is the folder's name, bell, and not gong",
    ],
    [
      'an example that its own input refuses',
      { ...bell, 'functions/bell/offer.ts': toOffer({ example: { times: 4 } }) },
      'functions/bell/offer.ts: the example of bell is refused by its own input: /times must be at most 3',
    ],
    [
      'nothing declared',
      { ...bell, 'functions/bell/offer.ts': 'export const offer = 1' },
      'functions/bell/offer.ts: export by default what defineOffer returns',
    ],
    [
      'the path of another',
      { ...bell, 'functions/gong/offer.ts': toOffer({ slug: 'gong' }), 'functions/gong/make.ts': make },
      /^functions\/\w+ and functions\/\w+ declare the same path, \/bell$/,
    ],
    [
      'the id of another',
      {
        ...bell,
        'functions/gong/offer.ts': toOffer({ slug: 'gong', id: 'bell', path: '/gong' }),
        'functions/gong/make.ts': make,
      },
      /^functions\/\w+ and functions\/\w+ declare the same id, bell$/,
    ],
  ])('are refused with a sentence that names the folder if there is %s', async (_, files, sentence) => {
    await expect(ids(files)).rejects.toThrow(sentence)
  })

  it('are refused at start if make.ts exports no function that makes them', async () => {
    const root = open({ ...bell, 'functions/bell/make.ts': 'export const make = 1' })
    await expect(findMaker(root, 'bell')).rejects.toThrow('functions/bell/make.ts: export by default a function')
  })
})
