/** What a browser could not keep, because it keeps nothing or has no more room: until the page is closed. */
const unwritten = new Map<string, unknown>()

/** Reads what this browser kept. Private windows and full disks keep nothing, and the game goes on. */
export function readStored(name: string): unknown {
  if (unwritten.has(name)) return unwritten.get(name)
  try {
    return JSON.parse(localStorage.getItem(`undercroft.${name}`) ?? 'null')
  } catch {
    return undefined
  }
}

/** Keeps a value in this browser; `undefined` forgets it. */
export function keepStored(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(`undercroft.${name}`)
    else localStorage.setItem(`undercroft.${name}`, JSON.stringify(value))
    unwritten.delete(name)
  } catch {
    unwritten.set(name, value)
  }
}
