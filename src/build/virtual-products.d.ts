/** Made by the product-routes integration from the folders in `functions/`. */
declare module 'virtual:products' {
  export const products: import('../offers/products.ts').Products
}

declare module 'virtual:showcases' {
  /** By folder, the component that the page of a product shows; its slot receives the sample. */
  export const showcases: ReadonlyMap<string, import('astro/runtime/server/index.js').AstroComponentFactory>
}
