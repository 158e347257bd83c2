/**
 * The element that a page and its script agree on, as the kind of element it must be.
 *
 * @throws Error when page and script are of different versions
 */
export function findElement<T extends Element>(
  kind: new (...none: never[]) => T,
  name: string,
  within: ParentNode = document,
): T {
  const found = within.querySelector(`[data-${name}]`)
  if (found instanceof kind) return found
  throw new Error(`no ${kind.name} has data-${name}`)
}
