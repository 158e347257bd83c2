/** What a buyer gets: bytes and how to label them. Made once, stored before any money moves, delivered unchanged. */
export interface Product {
  /** With charset where it is text. */
  mimeType: string
  body: Uint8Array
  /** Extra response headers that belong to the product, such as `X-Pack-Failed`. */
  headers?: Readonly<Record<string, string>>
  /** What the sale grants, as JSON text; recorded with the sale. */
  grants?: string
}

/** A UTF-8 text as a product. */
export const textProduct = (text: string, mimeType = 'text/plain; charset=utf-8'): Product => ({
  mimeType,
  body: new TextEncoder().encode(text),
})
