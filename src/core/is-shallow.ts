/** Whether JSON is nested this deep at most: what recurses would overflow the stack on input that JSON.parse accepts. */
export function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  return Object.values(value).every((part) => isShallow(part, depth - 1))
}
