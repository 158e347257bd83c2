/** A listing of code, if one is open: its text is kept as it is written. */
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
    /** The language is often named by an element inside. */
    nameLanguage(language: string): void {
      if (listing?.language === '') listing.language = language
    },
    /** A line of a listing that is an element of its own begins a line. */
    beginLine(): void {
      if (listing?.isAtLineStart === false) addToListing('\n')
    },
    isListing: (): boolean => listing !== undefined,
    addToListing,
    /** Ends it; undefined when none was open. */
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

/** Deeper nesting is set as if it were this deep: indents would outgrow the text. */
const deepestIndent = 16

interface List {
  /** The next number; undefined in a list without. */
  next: number | undefined
  readonly isReversed: boolean
  /** From one number to the next. */
  step: number
  readonly indent: number
}

/** How far the text of an item is moved in beyond its marker. */
const widthOf = ({ next }: List): number => (next === undefined ? 2 : 3)

/** The lists that are open, and the marker of an item that has no text yet. */
export function makeListNesting() {
  const lists: List[] = []
  let marker = ''
  return {
    /** @param numbers what a list with numbers says of them */
    openList(numbers?: { readonly start: number | undefined; readonly isReversed: boolean }): void {
      const outer = lists.at(-1)
      const { start, isReversed = false } = numbers ?? {}
      lists.push({
        next: numbers && (start ?? 1),
        isReversed,
        // Where a list that counts down begins is only known when it says so, or at its end.
        step: isReversed && start !== undefined ? -1 : 1,
        indent: outer === undefined ? 0 : outer.indent + widthOf(outer),
      })
    },
    closeList(): void {
      lists.pop()
      marker = ''
    },
    /** @param number of the item, where its author gives it one of its own */
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
