/** Deeper than real documents are nested. Parsing a body of nothing but brackets would take 0.2 s. */
const deepest = 512

/** Parses untrusted JSON; undefined when it is invalid or nested too deep. */
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
