/** Lets a button copy a text, and tells whether this browser allowed it; over plain http it has no clipboard at all. */
export function copyOnClick(button: HTMLButtonElement, textOf: () => string, tell: (isCopied: boolean) => void): void {
  button.addEventListener('click', () => {
    if ('clipboard' in navigator)
      navigator.clipboard.writeText(textOf()).then(
        () => tell(true),
        () => tell(false),
      )
    else tell(false)
  })
}
