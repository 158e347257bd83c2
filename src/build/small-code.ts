/**
 * How code for our own programs is written: V8 keeps the text of what it runs in memory, so it is short, and in ASCII,
 * for a single other character makes the whole file take twice as much. Functions keep their names, for whoever reads
 * where an error came from.
 */
export const smallCode = {
  minify: {
    mangle: { keepNames: true },
    compress: false,
    codegen: { removeWhitespace: true, asciiOnly: true },
  },
  comments: false,
  charset: 'ascii',
} as const
