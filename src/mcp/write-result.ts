import type { ToolAnswer } from '../core/tool-answer.ts'

const written = new WeakMap<ToolAnswer, string>()

/** Serializes a result that will be used again, once. */
export function keepWritten(answer: ToolAnswer): ToolAnswer {
  written.set(answer, write(answer))
  return answer
}

/**
 * The JSON of the result of a free tool. The text of an object result is its JSON already (`defineTool`), so it is
 * reused for `structuredContent`: serializing it again takes a quarter of the time of a call.
 *
 * @param ending members to append, as JSON without braces
 */
export function writeResult(answer: ToolAnswer, ending: string): string {
  const result = written.get(answer) ?? write(answer)
  return ending === '' ? result : `${result.slice(0, -1)},${ending}}`
}

function write(answer: ToolAnswer): string {
  const { content, structuredContent, ...rest } = answer
  const [first] = content
  return structuredContent !== undefined && first?.type === 'text' && Object.keys(rest).length === 0
    ? `{"content":${JSON.stringify(content)},"structuredContent":${first.text}}`
    : JSON.stringify(answer)
}
