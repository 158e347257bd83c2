/** The components that posts and pages may use by name, and where they are among the components. */
export const writingComponentFiles: Readonly<Record<string, string>> = {
  Aside: 'aside.astro',
  Callout: 'callout.astro',
  Figure: 'figure.astro',
  ProductCard: 'product-card.astro',
}
