/** Makes a button copy a text; `tell` gets whether it worked. Over plain HTTP browsers offer no clipboard. */
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
