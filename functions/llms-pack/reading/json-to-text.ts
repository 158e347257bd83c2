import { toCodeBlock } from '../../../src/core/markdown.ts'

/** What a document may call itself, the plainest first. */
const names = ['title', 'name', 'headline', 'id'] as const

function findTitle(value: unknown): string {
  // A list has no name, and a million entries of one take seconds to go through.
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ''
  const named = names.map((name): unknown => Object.getOwnPropertyDescriptor(value, name)?.value)
  return named.find((title) => typeof title === 'string') ?? ''
}

/** Strings, brackets and what is between them: numbers and names. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g
/** An indent deeper than this helps nobody, and would outgrow the values. */
const deepest = 100

/**
 * JSON with a value on each line. Nothing of it is changed: a number of any length keeps all its digits, names keep
 * their order, and one that is there twice stays so; only what strings have escaped is written as it is read.
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
 * JSON as a block of code, indented so that it can be cut between values, with what it calls itself; as it was sent
 * where it is no JSON, or only the beginning of some.
 *
 * @param enough characters of text; what comes after may be left out
 */
export function jsonToText(json: string, enough: number): { title: string; text: string } {
  try {
    const value: unknown = JSON.parse(json)
    return { title: findTitle(value), text: toCodeBlock(indent(json, enough), 'json') }
  } catch (error) {
    // Cut off, several in a row, or nested deeper than anybody writes.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    return { title: '', text: toCodeBlock(json.trim().slice(0, enough), 'json') }
  }
}
