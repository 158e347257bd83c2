/** What a buyer gets: bytes, their media type and headers. Stored before any money moves, and delivered unchanged. */
export interface Product {
  /** The media type, with a charset for text. */
  mimeType: string
  body: Uint8Array
  /** Extra response headers that belong to the product, such as `X-Pack-Failed`. */
  headers?: Readonly<Record<string, string>>
  /** What the sale grants to a player, as JSON; recorded with the sale. */
  grants?: string
}

/** A UTF-8 text as a product. */
export const textProduct = (text: string, mimeType = 'text/plain; charset=utf-8'): Product => ({
  mimeType,
  body: new TextEncoder().encode(text),
})
