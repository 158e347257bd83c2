import type { SearchDocument } from '../search/search-document.ts'

interface Found {
  /** Lists what search finds. */
  readonly list: () => Promise<readonly SearchDocument[]>
  /** Whether that is the same as in the earlier build. */
  readonly isSame: boolean
}

let handedOver: Found | undefined

/** Passes what search finds from where pages are made to the step after them, which runs in the same process. */
export const searchHandover = {
  give(found: Found): void {
    handedOver = found
  },
  /** @throws Error if nothing was given since the last call */
  take(): Found {
    if (!handedOver) throw new Error('nobody has said what search finds')
    const found = handedOver
    handedOver = undefined
    return found
  },
}
