/** Lets a button copy a text, and tells whether this browser allowed it. */
export function copyOnClick(button: HTMLButtonElement, textOf: () => string, tell: (isCopied: boolean) => void): void {
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(textOf()).then(
      () => tell(true),
      () => tell(false),
    )
  })
}
