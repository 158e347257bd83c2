/**
 * Whether one word differs from another by one edit: `slip` for an inserted, a missing or two swapped letters, `letter`
 * for a replaced one; undefined otherwise.
 */
export function findEdit(one: string, other: string): 'slip' | 'letter' | undefined {
  const [a, b] = [[...one], [...other]]
  if (Math.abs(a.length - b.length) > 1 || one === other) return undefined
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  if (left.length <= 1 && right.length <= 1) return left.length === right.length ? 'letter' : 'slip'
  const isSwap = left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
  return isSwap ? 'slip' : undefined
}
