/**
 * A part of the player that its page must have. The checkout's scripts have the like: a module that both share would be
 * one more file on pages that sell.
 *
 * @throws Error when page and script are of different versions
 */
export function findPart<T extends Element>(kind: new (...none: never[]) => T, name: string, within: ParentNode): T {
  const found = within.querySelector(`[data-${name}]`)
  if (found instanceof kind) return found
  throw new Error(`the player has no ${kind.name} marked data-${name}`)
}
