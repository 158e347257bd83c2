import { makeOwner } from '../../src/storage/lease-owner.ts'

/** A lease owner of this machine whose process has ended; each `words` makes another one. */
export function makeDeadOwner(words = 'abc'): string {
  const [host, , start, , place] = makeOwner().split('/')
  return [host, 4_194_303, start, words, place].join('/')
}
