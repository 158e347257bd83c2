/** What TypeScript alone, which reads no `.astro` file, takes a component for. */
declare module '*.astro' {
  const Component: import('astro/runtime/server/index.js').AstroComponentFactory
  export default Component
}
