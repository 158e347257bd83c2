import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { keepRecent } from '../core/keep-recent.ts'
import { makeMergeHits } from './merge-hits.ts'
import { openHits } from './packed-hits.ts'
import { type RankedTerm, toRankedTerm } from './ranked-term.ts'
import type { SearchTerms } from './search-terms.ts'

/**
 * What a few hundred frequent words take on a site of ten thousand posts. The rest is read when it is asked for, and not
 * mapped: mapped pages stay in the memory of this process, those that were read are the system's to give away.
 */
const keptBytes = 10 * 1024 * 1024

const hitsSchema = z.object({ hits: z.instanceof(Uint8Array) })

/**
 * Opens the hits of an index.
 *
 * @param documents how many it has
 */
export function openTerms(db: DatabaseSync, documents: number) {
  const mergeHits = makeMergeHits(documents)
  const getHits = db.prepare('select hits from postings where term = ?')
  const getMerged = db.prepare('select hits from beginning where prefix = ?')
  const getRange = db.prepare('select hits from postings where term >= ? and term < ? || char(0x10ffff)')
  const toHits = (row: unknown) => openHits(hitsSchema.parse(row).hits)

  function findWord(term: string): RankedTerm | undefined {
    const row = getHits.get(term)
    return row && toRankedTerm(toHits(row), documents)
  }

  function findPrefix(prefix: string): RankedTerm | undefined {
    const merged = getMerged.get(prefix)
    const [first, ...others] = (merged ? [merged] : getRange.all(prefix, prefix)).map(toHits)
    return first && toRankedTerm(others.length === 0 ? first : openHits(mergeHits([first, ...others])), documents)
  }

  /** Forms are parted by spaces, which no term has; a star stands behind the beginning of words. */
  const findForms = keepRecent(
    (asked: string): RankedTerm | undefined => {
      const forms = asked.split(' ')
      if (forms.length === 1) return asked.endsWith('*') ? findPrefix(asked.slice(0, -1)) : findWord(asked)
      const found = forms.map(findForms).filter((term) => term !== undefined)
      const [only] = found
      return found.length <= 1 ? only : toRankedTerm(openHits(mergeHits(found.map(({ hits }) => hits))), documents)
    },
    { atMost: keptBytes, sizeOf: (term) => term?.hits.size ?? 0 },
  )

  return {
    /** None when any is nowhere. */
    findTerms({ exact, prefix, others }: SearchTerms): readonly RankedTerm[] {
      const asked = [...exact.map((term) => [term, term]), ...(prefix === undefined ? [] : [[prefix, `${prefix}*`]])]
      const found = asked.map(([term = '', own = '']) => findForms([own, ...(others?.get(term) ?? [])].join(' ')))
      return found.every((term) => term !== undefined) ? found : []
    },
    isFound: (term: string, isPrefix: boolean): boolean => findForms(isPrefix ? `${term}*` : term) !== undefined,
  }
}
