/** Makes an element with text. Names and messages of other players are always inserted as text, never as HTML. */
export function makeElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...content: readonly (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  if (className) element.className = className
  element.append(...content)
  return element
}
