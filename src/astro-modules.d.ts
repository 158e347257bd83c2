/** The type of components for TypeScript alone, which cannot read `.astro` files. */
declare module '*.astro' {
  const Component: import('astro/runtime/server/index.js').AstroComponentFactory
  export default Component
}
