import { toCodeBlock } from '../../../src/core/markdown.ts'

/** What a document may call itself, the plainest first. */
const names = ['title', 'name', 'headline', 'id'] as const

function findTitle(value: unknown): string {
  // A list has no name, and a million entries of one take seconds to go through.
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ''
  const named = names.map((name): unknown => Object.getOwnPropertyDescriptor(value, name)?.value)
  return named.find((title) => typeof title === 'string') ?? ''
}

/**
 * JSON as a block of code, indented so that it can be cut between values, with what it calls itself; as it was sent
 * where it is no JSON, or only the beginning of some.
 */
export function jsonToText(json: string): { title: string; text: string } {
  try {
    const value: unknown = JSON.parse(json)
    return { title: findTitle(value), text: toCodeBlock(JSON.stringify(value, null, 1), 'json') }
  } catch (error) {
    // Cut off, several in a row, or nested deeper than anybody writes.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error
    return { title: '', text: toCodeBlock(json.trim(), 'json') }
  }
}
