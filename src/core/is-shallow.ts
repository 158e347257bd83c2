/**
 * Whether JSON is nested at most `depth` levels deep. `JSON.parse` accepts deeper input than recursive functions can
 * process without overflowing the stack.
 */
export function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  return Object.values(value).every((part) => isShallow(part, depth - 1))
}
