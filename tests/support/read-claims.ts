import { readFileSync } from 'node:fs'

/** A line of docs/products.md: what a product has that its free alternative lacks. */
export interface Claim {
  readonly product: string
  readonly claim: string
}

/** Every claim that docs/products.md makes. */
export const readClaims = (): Claim[] =>
  [...readFileSync('docs/products.md', 'utf8').matchAll(/^\| `([\w-]+)`\s*\|[^|]+\|\s*([^|]+?)\s*\|$/gm)].map(
    ([, product = '', claim = '']) => ({ product, claim }),
  )
