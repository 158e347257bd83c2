import CodeBlock from './code-block.astro'
import HeadingThree from './heading-three.astro'
import HeadingTwo from './heading-two.astro'
import Picture from './picture.astro'
import ScrollTable from './scroll-table.astro'

/** What stands for the elements of a post or page when it is shown. */
export const writing = { h2: HeadingTwo, h3: HeadingThree, img: Picture, pre: CodeBlock, table: ScrollTable }
