interface Naming {
  readonly product?: string | undefined
}

/** What is wrong with a post that names a product which is not for sale; the sentence goes on after the file's name. */
export const unknownProduct = ({ product }: Naming, products: ReadonlySet<string>): string | undefined =>
  product === undefined || products.has(product)
    ? undefined
    : `product names ${product}, and nothing with this name is for sale; for sale are ${[...products].join(', ')}`
