import type { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { keepRecent } from '../core/keep-recent.ts'
import { makeMergeHits } from './merge-hits.ts'
import { closeHits, openHits } from './packed-hits.ts'
import { type RankedTerm, toRankedTerm } from './ranked-term.ts'
import type { SearchTerms } from './search-terms.ts'

/**
 * The size of the cache: a few hundred frequent words of a site with ten thousand posts. The rest is read on demand
 * rather than memory-mapped, because mapped pages count as memory of this process, while the system can drop pages that
 * were read.
 */
const keptBytes = 4 * 1024 * 1024

const hitsSchema = z.object({ hits: z.instanceof(Uint8Array) })

/**
 * Opens the hits of an index.
 *
 * @param documents the number of documents
 * @param atMost the size of the cache in bytes
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

  /** Terms that are not cached, which the current query may still read; closed before the next. */
  const forgotten: RankedTerm[] = []

  /** The key is a list of forms separated by spaces, which terms never contain; `*` marks a prefix. */
  const findForms = keepRecent(
    (asked: string): RankedTerm | undefined => {
      const forms = asked.split(' ')
      if (forms.length === 1) return findForm(asked)
      const found = forms.flatMap((form) => {
        const term = findForms(form)
        return term ? [{ form, hits: term.hits }] : []
      })
      const [only] = found
      // Read again instead of shared, because the two cache entries are evicted separately.
      if (found.length <= 1) return only && findForm(only.form)
      return toRankedTerm(openHits(mergeHits(found.map(({ hits }) => hits))), documents)
    },
    {
      atMost,
      sizeOf: (term) => term?.hits.size ?? 0,
      // Most words are rare in queries. Cached at once, they evicted the frequent ones of a large site.
      onlyRepeated: true,
      onForgotten: (term) => {
        if (term) forgotten.push(term)
      },
    },
  )

  return {
    /** The terms of a query; empty when any of them is in no document. The result is valid until the next call. */
    findTerms({ exact, prefix, others }: SearchTerms): readonly RankedTerm[] {
      for (const { hits } of forgotten.splice(0)) closeHits(hits)
      const asked = [...exact.map((term) => [term, term]), ...(prefix === undefined ? [] : [[prefix, `${prefix}*`]])]
      const found = asked.map(([term = '', own = '']) => findForms([own, ...(others?.get(term) ?? [])].join(' ')))
      return found.every((term) => term !== undefined) ? found : []
    },
    isFound: (term: string, isPrefix: boolean): boolean => findForms(isPrefix ? `${term}*` : term) !== undefined,
  }
}
