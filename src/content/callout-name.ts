const names: Readonly<Record<string, string>> = { note: 'Note', tip: 'Tip', warning: 'Warning' }

/** The kinds of callouts. */
export const calloutKinds = Object.keys(names)

/** What stands above a callout, on the page and in its other forms. */
export const calloutName = ({
  kind = 'note',
  title,
}: {
  kind?: string | undefined
  title?: string | undefined
}): string => title ?? names[kind] ?? kind
