const longest = 500

/** Text from a server for a terminal: without control characters, which could change what is shown, and shortened. */
export function printable(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  return clean.length > longest ? `${clean.slice(0, longest)}…` : clean
}
