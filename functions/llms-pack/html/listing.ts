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
