import { lowestBit, setBit } from './bits.ts'
import { addCounts } from './hits.ts'
import { kindAt, type OpenHits, type PackedHits, packHits, readRows } from './packed-hits.ts'

/**
 * Makes the function that merges the hits of several terms into those of one. It reuses its arrays, because new ones
 * for each query would be as long as the number of documents.
 */
export function makeMergeHits(documents: number): (lists: readonly OpenHits[]) => PackedHits {
  const rows = new Uint32Array(documents)
  const sums = new Uint32Array(documents)
  const isSummed = new Int32Array(Math.ceil(documents / 32))
  const hits = new Uint32Array(documents * 2)

  function addUp(list: OpenHits): void {
    readRows(list, rows)
    for (let place = 0; place < list.documents; place++) {
      const row = rows[place] ?? 0
      const sum = sums[row] ?? 0
      const counts = list.counts[kindAt(list, place)] ?? 0
      sums[row] = sum === 0 ? counts : addCounts(sum, counts)
      setBit(isSummed, row)
    }
  }

  return (lists) => {
    for (const list of lists) addUp(list)
    let length = 0
    for (let word = 0; word < isSummed.length; word++) {
      for (let rest = isSummed[word] ?? 0; rest !== 0; rest &= rest - 1) {
        const row = word * 32 + lowestBit(rest)
        hits[length++] = row
        hits[length++] = sums[row] ?? 0
        sums[row] = 0
      }
      isSummed[word] = 0
    }
    return packHits(hits.subarray(0, length))
  }
}
