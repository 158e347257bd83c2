import { readFields, readList } from '../../../src/browser/read-value.ts'
import { keepStored, readStored } from './stored.ts'

/** What this browser keeps about how somebody plays. */
export interface Settings {
  readonly zoom: number | undefined
  readonly isText: boolean
  readonly isStill: boolean
  /** Whether letters, digits and signs are keys: who dictates says them by the dozen. */
  readonly hasLetterKeys: boolean
  readonly hasHints: boolean
  readonly learned: readonly string[]
}

/** Reads them; people who asked their system for less motion get a still picture unless they say otherwise. */
export function readSettings(): Settings {
  const kept = readFields(readStored('settings'))
  const prefersStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  return {
    zoom: typeof kept['zoom'] === 'number' ? kept['zoom'] : undefined,
    isText: kept['isText'] === true,
    isStill: typeof kept['isStill'] === 'boolean' ? kept['isStill'] : prefersStill,
    hasLetterKeys: kept['hasLetterKeys'] !== false,
    hasHints: kept['hasHints'] !== false,
    learned: readList(kept['learned']).filter((id) => typeof id === 'string'),
  }
}

/** Changes some of them for good. */
export function changeSettings(change: Partial<Settings>): Settings {
  keepStored('settings', { ...readFields(readStored('settings')), ...change })
  return { ...readSettings(), ...change }
}
