import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readClaims } from '../support/read-claims.ts'
import { testBaseUrl } from '../support/running-site.ts'
import { crawlerProofs } from './worth/crawler-proofs.ts'
import { openWorthShop, type WorthShop } from './worth/open-worth-shop.ts'
import { workProofs } from './worth/work-proofs.ts'
import { writingProofs } from './worth/writing-proofs.ts'

let shop: WorthShop
beforeAll(async () => {
  shop = await openWorthShop()
})
afterAll(() => shop?.close())

const proofs = { ...writingProofs, ...crawlerProofs, ...workProofs }

describe.each(readClaims())('$product', ({ product, claim }) => {
  it(`has what its free alternative lacks: ${claim}`, async () => {
    const prove = proofs[product]?.[claim]
    if (!prove) throw new Error('docs/products.md claims what no test holds it to')
    await prove(shop)
  })
})

it('the bundle and the posts of the export have absolute links', () => {
  const code = /^(```+)[\s\S]*?^\1$|`[^`\n]*`/gm
  for (const { contentMarkdown } of shop.exported.posts)
    expect(contentMarkdown.replaceAll(code, '')).not.toMatch(/\]\((?!https?:|mailto:)/)
  expect(shop.bundle).toContain(`](${testBaseUrl}/api/catalog.json)`)
})

it('the bundle and the export are dated by the newest change of a post, whenever and wherever they were built', () => {
  const changes = shop.exported.posts.map(({ publishedAt, updatedAt }) => updatedAt ?? publishedAt).toSorted()
  expect(shop.exported.exportedAt).toBe(changes.at(-1))
  expect(shop.bundle).toContain(` As of ${shop.exported.exportedAt}.`)
})

it('every proof belongs to a claim of the docs', () => {
  const claimed = new Set(readClaims().map(({ product, claim }) => `${product}: ${claim}`))
  const proven = Object.entries(proofs).flatMap(([product, all]) =>
    Object.keys(all).map((claim) => `${product}: ${claim}`),
  )
  expect(proven.filter((one) => !claimed.has(one))).toEqual([])
})
