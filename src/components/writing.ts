import type { shownByComponents } from '../content/shown-by-components.ts'
import CodeBlock from './code-block.astro'
import HeadingThree from './heading-three.astro'
import HeadingTwo from './heading-two.astro'
import Picture from './picture.astro'
import ScrollTable from './scroll-table.astro'

/** The components that render the elements of posts and pages. */
export const writing = {
  h2: HeadingTwo,
  h3: HeadingThree,
  img: Picture,
  pre: CodeBlock,
  table: ScrollTable,
} satisfies Record<(typeof shownByComponents)[number], unknown>
