/** Six matching colours. The first is the paper. */
export type Palette = readonly [string, string, string, string, string, string]

/** Palettes for any scene. */
export const palettes: readonly [Palette, ...Palette[]] = [
  ['#f3e9dc', '#e07a3f', '#c8553d', '#588b8b', '#2d4654', '#f2c14e'],
  ['#f6f1e7', '#ef6f6c', '#465775', '#8ecbb0', '#59a99a', '#23395b'],
  ['#f4efe6', '#d8a48f', '#bb8588', '#a3a380', '#5a6650', '#2f3e46'],
  ['#fbf3e4', '#f6bd60', '#f28482', '#84a59d', '#3d5a6c', '#22333b'],
  ['#eef0eb', '#90b8c8', '#3f7cac', '#1d4e6b', '#f25f4c', '#12263a'],
  ['#f8ede3', '#e6b89c', '#9f4a54', '#5b2a3c', '#f0a35e', '#2b1a2b'],
  ['#f1efe7', '#c9cba3', '#ffe1a8', '#e26d5c', '#723d46', '#472d30'],
  ['#e9edf0', '#b3c5d7', '#6c8ead', '#34506b', '#f4b942', '#172a3a'],
  ['#f7f3ea', '#8fb996', '#477a5b', '#1f4636', '#e9b44c', '#9b2915'],
  ['#fdf0e1', '#ff9f68', '#f85959', '#7c203a', '#33658a', '#1f2a44'],
]

/** Palettes for water. */
export const seaPalettes: readonly [Palette, ...Palette[]] = [
  ['#f4efe4', '#e8b04b', '#7fb5b5', '#3f7f8f', '#1f5468', '#12303f'],
  ['#f7ede2', '#ef8354', '#9fc2cc', '#5b8fa8', '#2d5d7b', '#1b2f45'],
  ['#eef2ef', '#f2c879', '#a7cfc4', '#5aa39a', '#2b6f73', '#143642'],
]
