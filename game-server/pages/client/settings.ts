import { readFields, readList } from '../../../src/browser/read-value.ts'
import { keepStored, readStored } from './stored.ts'

/** The settings that are stored in this browser. */
export interface Settings {
  readonly zoom: number | undefined
  readonly isText: boolean
  readonly isStill: boolean
  /** Whether letters, digits and signs are keys. Speech input would press many of them by accident. */
  readonly hasLetterKeys: boolean
  readonly hasHints: boolean
  readonly learned: readonly string[]
}

/** Reads the settings. With the system setting for reduced motion the picture is still, unless set otherwise here. */
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

/** Stores changed settings; returns all of them. */
export function changeSettings(change: Partial<Settings>): Settings {
  keepStored('settings', { ...readFields(readStored('settings')), ...change })
  return { ...readSettings(), ...change }
}
