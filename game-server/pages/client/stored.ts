/** Values that could not be stored, for lack of permission or space; kept until the page is closed. */
const unwritten = new Map<string, unknown>()

/** Reads a stored value; null or undefined when there is none or storage fails, as in some private windows. */
export function readStored(name: string): unknown {
  if (unwritten.has(name)) return unwritten.get(name)
  try {
    return JSON.parse(localStorage.getItem(`undercroft.${name}`) ?? 'null')
  } catch {
    return undefined
  }
}

/** Stores a value in this browser; `undefined` removes it. */
export function keepStored(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(`undercroft.${name}`)
    else localStorage.setItem(`undercroft.${name}`, JSON.stringify(value))
    unwritten.delete(name)
  } catch {
    unwritten.set(name, value)
  }
}
