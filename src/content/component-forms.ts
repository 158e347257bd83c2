import { calloutKinds, calloutName } from './callout-name.ts'
import type { Node } from './writing-tree.ts'

/** The content of the line that replaces a product's card in forms of a text that have no cards. */
export interface ProductLine {
  readonly title: string
  /** The path of its page. */
  readonly path: string
  /** Its price and what it does. */
  readonly about: string
}

/** Everything for sale, by slug. */
export type ProductLines = Readonly<Partial<Record<string, ProductLine>>>

/** The attributes of a component whose values are strings. */
type Attributes = Readonly<Partial<Record<string, string>>>

interface ComponentForm {
  /** Its file in `src/components`. */
  readonly file: string
  /** The blocks that replace the component in every form of a text except the page. */
  readonly toBlocks: (attributes: Attributes, children: readonly Node[], products: ProductLines) => readonly Node[]
  /** What is wrong with its use, to be appended to file and line; false if nothing is. */
  readonly findFault?: (
    attributes: Attributes,
    products: ReadonlySet<string>,
    children: readonly Node[],
  ) => string | false
}

/** A text node that has no position in the source. */
export const makeText = (value: string): Node => ({ type: 'text', value })

/** A node around others that has no position in the source. */
const makeNode = (type: string, ...children: readonly Node[]): Node => ({ type, children })

/** Replaces a product by one line, for forms of a text that have no buttons. */
const ofProduct: Pick<ComponentForm, 'toBlocks' | 'findFault'> = {
  toBlocks({ slug = '' }, _, products) {
    const product = products[slug]
    if (!product) return []
    const link = { ...makeNode('link', makeText(product.title)), url: product.path }
    return [makeNode('paragraph', link, makeText(`, ${product.about}`))]
  },
  findFault: ({ slug = '' }, products) =>
    !products.has(slug) && `nothing named "${slug}" is for sale; for sale are ${[...products].join(', ')}`,
}

/** The components that posts and pages may use. Its file defines how one looks on pages, this list all other forms. */
export const componentForms: Readonly<Record<string, ComponentForm>> = {
  Aside: {
    file: 'aside.astro',
    toBlocks: (_, children) => [makeNode('blockquote', ...children)],
  },
  Callout: {
    file: 'callout.astro',
    toBlocks: (attributes, children) => [
      makeNode('blockquote', makeNode('paragraph', makeNode('strong', makeText(calloutName(attributes)))), ...children),
    ],
    findFault: ({ kind }) =>
      kind !== undefined &&
      !calloutKinds.includes(kind) &&
      `a <Callout> must be of kind ${calloutKinds.join(', ')}, not "${kind}"`,
  },
  Figure: {
    file: 'figure.astro',
    toBlocks: ({ caption = '' }, children) => [
      ...children,
      makeNode('paragraph', makeNode('emphasis', makeText(caption))),
    ],
    findFault: ({ caption }) => !caption && 'a <Figure> needs a caption: <Figure caption="What it shows">',
  },
  LiveExchange: { file: 'live-exchange.astro', ...ofProduct },
  ProductCard: { file: 'product-card.astro', ...ofProduct },
  Tabs: {
    file: 'tabs.astro',
    toBlocks: (_, children) => children,
    findFault: (_attributes, _products, children) =>
      (children.length < 2 || children.some(({ type, lang }) => type !== 'code' || !lang)) &&
      'a <Tabs> holds two or more blocks of code, each with its language, and nothing else',
  },
}

/** The form of a component of this name, if there is one. */
export const findForm = (name: string | null | undefined): ComponentForm | undefined =>
  name && Object.hasOwn(componentForms, name) ? componentForms[name] : undefined
