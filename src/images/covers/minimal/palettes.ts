/** Paper, ink, accent and tint of one cover. Ink on paper keeps a contrast of 11 or more. */
export interface Inks {
  readonly paper: string
  readonly ink: string
  readonly accent: string
  readonly tint: string
}

const inks = (paper: string, ink: string, accent: string, tint: string): Inks => ({ paper, ink, accent, tint })

/** Palettes like the papers and inks of a small press. */
export const palettes: readonly [Inks, ...Inks[]] = [
  inks('#f4efe6', '#1c1b19', '#d8432e', '#e4d6bd'),
  inks('#e8ebe4', '#17211b', '#2f6b4f', '#cdd6c6'),
  inks('#101418', '#f2ede3', '#e5b53b', '#263039'),
  inks('#f7f4ee', '#1b2440', '#2a4bd0', '#dfd8c8'),
  inks('#efe6dd', '#2b1d1a', '#b4532a', '#dbc7b4'),
  inks('#e9eef2', '#12212e', '#0f7c8f', '#cbd8e2'),
  inks('#1d1a2b', '#f3ecdf', '#ef6a5b', '#342f4d'),
  inks('#f3e3d7', '#3b1022', '#8c1d40', '#e6c4b2'),
  inks('#f5f2ea', '#222222', '#f0a500', '#e3dbc8'),
  inks('#dfe5df', '#0f2a2a', '#e2603a', '#c3cfc4'),
]
