import type { SearchDocument } from '../search/search-document.ts'

let handedOver: readonly SearchDocument[] | undefined

/** Hands the documents for the search index from the code that renders pages to a later step in the same process. */
export const searchHandover = {
  give(documents: readonly SearchDocument[]): void {
    handedOver = documents
  },
  /** @throws Error when nothing was given since the last call */
  take(): readonly SearchDocument[] {
    if (!handedOver) throw new Error('nobody has said what search finds')
    const documents = handedOver
    handedOver = undefined
    return documents
  },
}
