/**
 * Finds an element of the player that its page must have. The checkout's scripts have a similar function: a shared
 * module would be one more file on pages that sell.
 *
 * @throws Error when the element is missing, as when page and script are of different versions
 */
export function findPart<T extends Element>(kind: new (...none: never[]) => T, name: string, within: ParentNode): T {
  const found = within.querySelector(`[data-${name}]`)
  if (found instanceof kind) return found
  throw new Error(`the player has no ${kind.name} marked data-${name}`)
}
