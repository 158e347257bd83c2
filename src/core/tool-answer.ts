import { type Problem, type ProblemContext, toProblemBody } from './problem.ts'

type ToolContent =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource_link'; uri: string; name: string; description: string; mimeType: string; size?: number }

/** One call of a tool. */
export interface ToolCall {
  /** Not validated. */
  arguments: unknown
  /** `_meta["x402/payment"]`, not validated; undefined when the call carries none. */
  payment: unknown
  /** Aborted when the caller is gone. */
  signal: AbortSignal
  requestId: string
  /** The client key of the caller, for rate limits; undefined when it is not known. */
  caller?: string | undefined
}

/** The result of a tool call, as MCP writes it. */
export interface ToolAnswer {
  content: ToolContent[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
  _meta?: Record<string, unknown>
}

/** A problem as a tool result: the body of RFC 9457, with its kind as `code`, and what to do next as `hint`. */
export function toToolProblem(problem: Problem, context: ProblemContext): ToolAnswer {
  const { retryAfterSeconds, errors } = problem.options
  const hint =
    retryAfterSeconds === undefined
      ? errors && 'Correct the arguments that `errors` names and call the tool again'
      : `Call the tool again with everything the same in ${retryAfterSeconds} seconds`
  const structuredContent = {
    code: problem.kind,
    ...toProblemBody(problem, context),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(hint !== undefined && { hint }),
  }
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent, isError: true }
}
