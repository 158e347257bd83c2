/** What the browser keeps of a listener, here and nowhere else. Private windows may refuse, and then nothing is kept. */
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
    // Nothing depends on it.
  }
}

/** Where a narration was left, in seconds. */
export const memory = {
  position: (storageKey: string): number | undefined => read(`position:${storageKey}`),
  keepPosition: (storageKey: string, seconds: number | undefined): void => write(`position:${storageKey}`, seconds),
  speed: (): number | undefined => read('speed'),
  keepSpeed: (speed: number): void => write('speed', speed),
}
