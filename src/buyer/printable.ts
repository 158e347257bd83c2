const longest = 500

/** Text of a stranger's server for a terminal: no control characters, which could rewrite what is shown, and no end. */
export function printable(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return clean.length > longest ? `${clean.slice(0, longest)}…` : clean
}
