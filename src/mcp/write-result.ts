import type { ToolAnswer } from '../core/tool-answer.ts'

const written = new WeakMap<ToolAnswer, string>()

/** Writes an answer that will be given again, once and for all. */
export function keepWritten(answer: ToolAnswer): ToolAnswer {
  written.set(answer, write(answer))
  return answer
}

/**
 * The JSON of what a free tool answered. What such a tool says as an object it says as text before it (`defineTool`),
 * and the object is written from that text: to write it anew takes a quarter of the time of a call.
 *
 * @param ending members that follow, as JSON without its braces
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
