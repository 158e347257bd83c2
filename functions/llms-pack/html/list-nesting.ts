/** The code listing that is open, if any. Its text is kept with its white space. */
export function makeListing() {
  let listing: { readonly texts: string[]; language: string; isAtLineStart: boolean } | undefined
  const addToListing = (text: string): void => {
    if (!listing || text === '') return
    listing.texts.push(text)
    listing.isAtLineStart = text.endsWith('\n')
  }
  return {
    openListing(language: string): void {
      listing ??= { texts: [], language, isAtLineStart: true }
    },
    /** Sets the language when the listing has none yet: often only an element inside, such as `code`, names it. */
    nameLanguage(language: string): void {
      if (listing?.language === '') listing.language = language
    },
    /** Some pages mark up each line as a block element: begins a new line unless one has just begun. */
    beginLine(): void {
      if (listing?.isAtLineStart === false) addToListing('\n')
    },
    isListing: (): boolean => listing !== undefined,
    addToListing,
    /** Ends the listing and returns it; undefined when none is open. */
    takeListing(): { readonly text: string; readonly language: string } | undefined {
      if (!listing) return undefined
      const { texts, language } = listing
      listing = undefined
      const text = texts
        .join('')
        .replace(/^\r?\n/, '')
        .trimEnd()
      return { text, language }
    },
  }
}

/** Most spaces of indent. Deeper lists get this indent, or indents would outgrow the text. */
const deepestIndent = 16

interface List {
  /** The number of the next item; undefined in a bulleted list. */
  next: number | undefined
  readonly isReversed: boolean
  /** What is added to get the next number: 1 or -1. */
  step: number
  readonly indent: number
}

/** How many spaces the contents of an item are indented. */
const widthOf = ({ next }: List): number => (next === undefined ? 2 : 3)

/** The lists that are open, and the marker of an item that has no text yet. */
export function makeListNesting() {
  const lists: List[] = []
  let marker = ''
  return {
    /** @param numbers the attributes of an `ol`; undefined for a bulleted list */
    openList(numbers?: { readonly start: number | undefined; readonly isReversed: boolean }): void {
      const outer = lists.at(-1)
      const { start, isReversed = false } = numbers ?? {}
      lists.push({
        next: numbers && (start ?? 1),
        isReversed,
        // A reversed list without `start` begins with the number of its items, which is known only at its end. It
        // counts up.
        step: isReversed && start !== undefined ? -1 : 1,
        indent: outer === undefined ? 0 : outer.indent + widthOf(outer),
      })
    },
    closeList(): void {
      lists.pop()
      marker = ''
    },
    /** @param number the `value` of the item, if it has one */
    openItem(number?: number): void {
      const list = lists.at(-1)
      if (list?.next !== undefined && number !== undefined) {
        list.next = number
        if (list.isReversed) list.step = -1
      }
      marker = list?.next === undefined ? '- ' : `${list.next}. `
      if (list?.next !== undefined) list.next += list.step
    },
    closeItem(): void {
      marker = ''
    },
    /** Marker and indent of the next block. Only the first block of an item gets the marker. */
    takePlace(): { readonly marker: string; readonly indent: number } {
      const list = lists.at(-1)
      const indent = list === undefined ? 0 : list.indent + (marker === '' ? widthOf(list) : 0)
      const place = { marker, indent: Math.min(indent, deepestIndent) }
      marker = ''
      return place
    },
  }
}
