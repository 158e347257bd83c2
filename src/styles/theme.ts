interface Accent {
  readonly light: string
  readonly dark: string
}

/** The operator's colours as rules of a stylesheet, which is bundled: the pages' policy allows no inline styles. */
export const toThemeCss = ({ light, dark }: Accent): string => `:root{--accent:light-dark(${light},${dark})}`
