interface Accent {
  readonly light: string
  readonly dark: string
}

/** The operator's colours as CSS to be bundled, because the pages' Content-Security-Policy allows no inline styles. */
export const toThemeCss = ({ light, dark }: Accent): string => `:root{--accent:light-dark(${light},${dark})}`
