/**
 * Storage for what is remembered of a listener in this browser. Private windows may refuse it; then nothing is stored.
 */
const prefix = 'farthing:'

const read = (name: string): number | undefined => {
  try {
    const kept = Number.parseFloat(localStorage.getItem(prefix + name) ?? '')
    return Number.isFinite(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

const write = (name: string, value: number | undefined): void => {
  try {
    if (value === undefined) localStorage.removeItem(prefix + name)
    else localStorage.setItem(prefix + name, String(value))
  } catch {
    // The player works without it.
  }
}

/** The position in each narration, in seconds, and the speed. */
export const memory = {
  position: (storageKey: string): number | undefined => read(`position:${storageKey}`),
  keepPosition: (storageKey: string, seconds: number | undefined): void => write(`position:${storageKey}`, seconds),
  speed: (): number | undefined => read('speed'),
  keepSpeed: (speed: number): void => write('speed', speed),
}
