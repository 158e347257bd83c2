/**
 * The element with `data-<name>`, on which page and script agree; it must be of the given class.
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
