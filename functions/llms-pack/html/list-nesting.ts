/** Deeper nesting is set as if it were this deep: indents would outgrow the text. */
const deepestIndent = 16

interface List {
  /** The next number; undefined in a list without. */
  next: number | undefined
  readonly indent: number
}

/** How far the text of an item is moved in beyond its marker. */
const widthOf = ({ next }: List): number => (next === undefined ? 2 : 3)

/** The lists that are open, and the marker of an item that has no text yet. */
export function makeListNesting() {
  const lists: List[] = []
  let marker = ''
  return {
    openList(first: number | undefined): void {
      const outer = lists.at(-1)
      lists.push({ next: first, indent: outer === undefined ? 0 : outer.indent + widthOf(outer) })
    },
    closeList(): void {
      lists.pop()
      marker = ''
    },
    openItem(): void {
      const list = lists.at(-1)
      marker = list?.next === undefined ? '- ' : `${list.next}. `
      if (list?.next !== undefined) list.next += 1
    },
    closeItem(): void {
      marker = ''
    },
    /** Where the next block stands. Only the first block of an item has its marker. */
    takePlace(): { readonly marker: string; readonly indent: number } {
      const list = lists.at(-1)
      const indent = list === undefined ? 0 : list.indent + (marker === '' ? widthOf(list) : 0)
      const place = { marker, indent: Math.min(indent, deepestIndent) }
      marker = ''
      return place
    },
  }
}
