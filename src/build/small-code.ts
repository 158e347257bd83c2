/**
 * Output options for the code of our own programs. V8 keeps the source text of running code in memory, so the text is
 * short, and ASCII, because a single other character makes the whole file take twice the memory. Functions keep their
 * names, for readable stack traces.
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
