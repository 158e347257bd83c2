import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { keepRecent } from '../core/keep-recent.ts'
import { makeMergeHits } from './merge-hits.ts'
import { closeHits, openHits } from './packed-hits.ts'
import { type RankedTerm, toRankedTerm } from './ranked-term.ts'
import type { SearchTerms } from './search-terms.ts'

/**
 * What a few hundred frequent words take on a site of ten thousand posts. The rest is read when it is asked for, and not
 * mapped: mapped pages stay in the memory of this process, those that were read are the system's to give away.
 */
const keptBytes = 4 * 1024 * 1024

const hitsSchema = z.object({ hits: z.instanceof(Uint8Array) })

/**
 * Opens the hits of an index.
 *
 * @param documents how many it has
 * @param atMost bytes of hits that are kept
 */
export function openTerms(db: DatabaseSync, documents: number, atMost = keptBytes) {
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

  const findForm = (form: string): RankedTerm | undefined =>
    form.endsWith('*') ? findPrefix(form.slice(0, -1)) : findWord(form)

  /** What the query of the moment may still read of it. */
  const forgotten: RankedTerm[] = []

  /** Forms are parted by spaces, which no term has; a star stands behind the beginning of words. */
  const findForms = keepRecent(
    (asked: string): RankedTerm | undefined => {
      const forms = asked.split(' ')
      if (forms.length === 1) return findForm(asked)
      const found = forms.flatMap((form) => {
        const term = findForms(form)
        return term ? [{ form, hits: term.hits }] : []
      })
      const [only] = found
      // Read once more, because the two are not forgotten together.
      if (found.length <= 1) return only && findForm(only.form)
      return toRankedTerm(openHits(mergeHits(found.map(({ hits }) => hits))), documents)
    },
    {
      atMost,
      sizeOf: (term) => term?.hits.size ?? 0,
      onForgotten: (term) => {
        if (term) forgotten.push(term)
      },
    },
  )

  return {
    /** None when any is nowhere. What was found stands until it is asked again. */
    findTerms({ exact, prefix, others }: SearchTerms): readonly RankedTerm[] {
      for (const { hits } of forgotten.splice(0)) closeHits(hits)
      const asked = [...exact.map((term) => [term, term]), ...(prefix === undefined ? [] : [[prefix, `${prefix}*`]])]
      const found = asked.map(([term = '', own = '']) => findForms([own, ...(others?.get(term) ?? [])].join(' ')))
      return found.every((term) => term !== undefined) ? found : []
    },
    isFound: (term: string, isPrefix: boolean): boolean => findForms(isPrefix ? `${term}*` : term) !== undefined,
  }
}
