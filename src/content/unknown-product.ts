interface Naming {
  readonly product?: string | undefined
}

/** A sentence about a post that names an unknown product, to be appended to the file's name; undefined for others. */
export const unknownProduct = ({ product }: Naming, products: ReadonlySet<string>): string | undefined =>
  product === undefined || products.has(product)
    ? undefined
    : `product names ${product}, and nothing with this name is for sale; for sale are ${[...products].join(', ')}`
