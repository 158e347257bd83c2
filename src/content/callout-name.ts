const names: Readonly<Record<string, string>> = { note: 'Note', tip: 'Tip', warning: 'Warning' }

/** The kinds of callouts. */
export const calloutKinds = Object.keys(names)

/** The heading of a callout, on pages and in all other forms of a text. */
export const calloutName = ({
  kind = 'note',
  title,
}: {
  kind?: string | undefined
  title?: string | undefined
}): string => title ?? names[kind] ?? kind
