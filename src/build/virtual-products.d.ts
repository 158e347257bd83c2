/** Made by the product-routes integration of the folders in `functions/`. */
declare module 'virtual:products' {
  export const products: import('../offers/products.ts').Products
}

declare module 'virtual:showcases' {
  /** What the page of a product shows beside its sample, by folder. Its slot holds the sample. */
  export const showcases: ReadonlyMap<string, import('astro/runtime/server/index.js').AstroComponentFactory>
}
