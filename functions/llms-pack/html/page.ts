/** Where a link, strong, emphasized or struck text begins or ends. */
export interface Mark {
  readonly is: 'open' | 'close'
  readonly sign: 'strong' | 'emphasis' | 'strike' | 'link'
  /** Of a link: its address as the page has it, possibly relative. */
  readonly href?: string
}

/** A piece of a block: text, inline code, a line break, or the start or end of a mark. */
export type Piece = string | Mark | { readonly is: 'code'; readonly text: string } | { readonly is: 'break' }

/** A cell of a table. */
export interface Cell {
  readonly table: number
  readonly row: number
  /** Index in the row, without the cells that reach down from the rows above. */
  readonly column: number
  readonly isHead: boolean
  readonly columns: number
  readonly rows: number
  /** Number of the cell in the page, by which blocks of the same cell are recognized. */
  readonly place: number
}

/** The smallest part of a page: a paragraph, a heading, an item, a listing. */
export interface Block {
  readonly is: 'paragraph' | 'heading' | 'code' | 'rule'
  /** Level of a heading, 1 to 6; 0 for other blocks. */
  readonly level: number
  /** Language of code; empty when unknown. */
  readonly language: string
  readonly pieces: readonly Piece[]
  /** Length of the text in characters; those of wide scripts count twice. */
  readonly size: number
  /** The part of `size` that is in links. */
  readonly linkSize: number
  /** How many quotations the block is nested in. */
  readonly quotes: number
  /** Text before the first line (`- `, `2. `), and the spaces before that. */
  readonly marker: string
  readonly indent: number
  readonly cell: Cell | undefined
}

/**
 * Why a part may not belong to the text of the page: because of its element, or of the name that its author gave it.
 */
export type Boilerplate = 'element' | 'name' | 'form' | 'aside' | 'fallback'

/** An element, and the range of blocks that it spans. */
export interface PagePart {
  readonly element: string
  /** What its element, its role or its itemprop declare it to be. */
  readonly role: 'main' | 'article' | 'body' | undefined
  readonly boilerplate: Boilerplate | undefined
  /** First block, and the first block after the part. */
  readonly from: number
  to: number
}

/** A table, with the facts that tell tables of data from those that only lay out a page. */
export interface Table {
  isLayout: boolean
  hasHead: boolean
  columns: number
  rows: number
}

/** A page as flat lists: blocks in order, and the parts and tables that span them. */
export interface Page {
  readonly title: string
  /** The address in `<base>`, as written; empty when there is none. */
  readonly base: string
  readonly blocks: readonly Block[]
  /** In the order of their start tags. */
  readonly parts: readonly PagePart[]
  readonly tables: readonly Table[]
  /** False when the page has more elements than are read. */
  readonly isWhole: boolean
}
