import type { SearchDocument } from '../search/search-document.ts'

let handedOver: readonly SearchDocument[] | undefined

/** Takes what search finds from where pages are made, to the step after them, which is in the same process. */
export const searchHandover = {
  give(documents: readonly SearchDocument[]): void {
    handedOver = documents
  },
  /** @throws Error where nothing was given since the last time */
  take(): readonly SearchDocument[] {
    if (!handedOver) throw new Error('nobody has said what search finds')
    const documents = handedOver
    handedOver = undefined
    return documents
  },
}
