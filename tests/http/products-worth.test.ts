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

it('links to this site in full wherever it is read', () => {
  const code = /^(```+)[\s\S]*?^\1$|`[^`\n]*`/gm
  for (const { contentMarkdown } of shop.exported.posts)
    expect(contentMarkdown.replaceAll(code, '')).not.toMatch(/\]\((?!https?:|mailto:)/)
  expect(shop.bundle).toContain(`](${testBaseUrl}/api/catalog.json)`)
})

it('says what it is as of: the newest change of a post, whenever and wherever it was built and recorded', () => {
  const changes = shop.exported.posts.map(({ publishedAt, updatedAt }) => updatedAt ?? publishedAt).toSorted()
  expect(shop.exported.exportedAt).toBe(changes.at(-1))
  expect(shop.bundle).toContain(` As of ${shop.exported.exportedAt}.`)
})

it('proves nothing that the docs do not claim', () => {
  const claimed = new Set(readClaims().map(({ product, claim }) => `${product}: ${claim}`))
  const proven = Object.entries(proofs).flatMap(([product, all]) =>
    Object.keys(all).map((claim) => `${product}: ${claim}`),
  )
  expect(proven.filter((one) => !claimed.has(one))).toEqual([])
})
