/** Where a run of text begins or ends to be something. */
export interface Mark {
  readonly is: 'open' | 'close'
  readonly sign: 'strong' | 'emphasis' | 'strike' | 'link'
  /** Of a link, as written. */
  readonly href?: string
}

/** A piece of a block: text as it stood, code that belongs into the line, a break of the line, a mark. */
export type Piece = string | Mark | { readonly is: 'code'; readonly text: string } | { readonly is: 'break' }

/** A cell of a table. */
export interface Cell {
  readonly table: number
  readonly row: number
  /** Without what reaches down from rows above. */
  readonly column: number
  readonly isHead: boolean
  readonly columns: number
  readonly rows: number
  /** Counts cells of the table, so that blocks of one cell are known. */
  readonly place: number
}

/** The smallest part of a page: a paragraph, a heading, an item, a listing. */
export interface Block {
  readonly is: 'paragraph' | 'heading' | 'code' | 'rule'
  /** Of a heading, 1 to 6. */
  readonly level: number
  /** Of code, or empty. */
  readonly language: string
  readonly pieces: readonly Piece[]
  /** Letters, those of scripts that say more with each counted twice. */
  readonly size: number
  /** How many of them are links. */
  readonly linkSize: number
  /** How deep in quotations. */
  readonly quotes: number
  /** What stands before the first line (`- `, `2. `), and how far the others are moved in. */
  readonly marker: string
  readonly indent: number
  readonly cell: Cell | undefined
}

/** Why a part may be no text of the page: by what it is, or by what its author called it. */
export type Boilerplate = 'element' | 'name' | 'form' | 'aside' | 'fallback'

/** An element that spans blocks. */
export interface PagePart {
  readonly element: string
  /** What it says of itself. */
  readonly role: 'main' | 'article' | 'body' | undefined
  readonly boilerplate: Boilerplate | undefined
  /** The blocks from `from`, without `to`. */
  readonly from: number
  to: number
}

/** A table, with what decides whether it is one or only holds a layout. */
export interface Table {
  isLayout: boolean
  hasHead: boolean
  columns: number
  rows: number
}

/** A page as flat lists: blocks in order, and the parts and tables that span them. */
export interface Page {
  readonly title: string
  /** What links are relative to, as written. */
  readonly base: string
  readonly blocks: readonly Block[]
  /** In the order in which they begin. */
  readonly parts: readonly PagePart[]
  readonly tables: readonly Table[]
  /** Not, when the page had more elements than are read. */
  readonly isWhole: boolean
}
