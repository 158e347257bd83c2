import { readFileSync } from 'node:fs'

/** A row of docs/products.md: what a product has that its free alternative lacks. */
export interface Claim {
  readonly product: string
  readonly claim: string
}

/** All rows of docs/products.md. */
export const readClaims = (): Claim[] =>
  [...readFileSync('docs/products.md', 'utf8').matchAll(/^\| `([\w-]+)`\s*\|[^|]+\|\s*([^|]+?)\s*\|$/gm)].map(
    ([, product = '', claim = '']) => ({ product, claim }),
  )
