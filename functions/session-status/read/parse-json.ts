/** Deeper than any document that somebody wrote; to parse a page of nothing but brackets takes a fifth of a second. */
const deepest = 512

/** Untrusted JSON; undefined when it is none, or nested too deep to be a document. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) return undefined
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length && depth <= deepest; at += 1) {
    const character = text.charAt(at)
    if (isInString) {
      if (character === '\\') at += 1
      else isInString = character !== '"'
    } else if (character === '"') isInString = true
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
  }
  return depth > deepest
}
