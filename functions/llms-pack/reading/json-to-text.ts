import { toCodeBlock } from '../../../src/core/markdown.ts'

/** Properties that may hold the title of a document, best first. */
const names = ['title', 'name', 'headline', 'id'] as const

function findTitle(value: unknown): string {
  // An array has no title, and reading the properties of one with a million entries takes seconds.
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ''
  const named = names.map((name): unknown => Object.getOwnPropertyDescriptor(value, name)?.value)
  return named.find((title) => typeof title === 'string') ?? ''
}

/** Strings, punctuation, and everything else: numbers, `true`, `false` and `null`. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g
/** Most spaces of indent; more would outgrow the values. */
const deepest = 100

/**
 * JSON with each value on its own line. It is not parsed into values: numbers keep all digits, and properties keep
 * their order and their duplicates. Only escapes in strings are written as the characters they stand for.
 */
function indent(json: string, enough: number): string {
  const out: string[] = []
  let [depth, length, before] = [0, 0, '']
  const line = (): string => `\n${' '.repeat(Math.min(depth, deepest))}`
  for (const [token] of json.matchAll(tokens)) {
    if (length > enough) break
    const isEnd = token === '}' || token === ']'
    const isEmpty = before === '{' || before === '['
    if (isEnd) depth -= 1
    const text = token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token === ':' ? ': ' : token
    const written = before === ',' || isEmpty !== isEnd ? line() + text : text
    if (token === '{' || token === '[') depth += 1
    out.push(written)
    length += written.length
    before = token
  }
  return out.join('')
}

/**
 * JSON as a markdown code block, indented so that it can be cut between values, with its title. Text that is not valid
 * JSON (such as the beginning of a document that was cut) is put into the block as it is.
 *
 * @param enough characters of text; what comes after may be left out
 */
export function jsonToText(json: string, enough: number): { title: string; text: string } {
  try {
    const value: unknown = JSON.parse(json)
    return { title: findTitle(value), text: toCodeBlock(indent(json, enough), 'json') }
  } catch (error) {
    // The JSON is cut off, is followed by more JSON, or is nested too deep.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    return { title: '', text: toCodeBlock(json.trim().slice(0, enough), 'json') }
  }
}
