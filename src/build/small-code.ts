/**
 * How code for our own programs is written: V8 keeps the text of what it runs in memory, so it is short; names stay, for
 * whoever reads where an error came from.
 */
export const smallCode = {
  minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
  comments: false,
} as const
