import { makeOwner } from '../../src/storage/lease-owner.ts'

/** Whoever was on this system and has ended; each with other words at its end is another one. */
export function makeDeadOwner(words = 'abc'): string {
  const [host, , start, , place] = makeOwner().split('/')
  return [host, 4_194_303, start, words, place].join('/')
}
