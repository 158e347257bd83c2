import type { z } from 'zod'
import { isShallow } from '../core/is-shallow.ts'
import { Problem } from '../core/problem.ts'
import { type ToolAnswer, type ToolCall, toToolProblem } from '../core/tool-answer.ts'
import { toPointed, validate } from '../core/validate.ts'
import { toBrief } from './to-brief.ts'
import { keepWritten } from './write-result.ts'

/** What a host may assume of a tool before it asks its user (MCP, ToolAnnotations). */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** A tool as it is listed and called. It reads its own arguments, so that it can say everything that is wrong. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** JSON Schema of an object. There is none of answers: models read those as they are, and every list of tools. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly annotations: ToolAnnotations
  /** For programs beside the model, such as wallets. */
  readonly meta?: Readonly<Record<string, unknown>>
  readonly call: (call: ToolCall) => Promise<ToolAnswer>
}

export interface ToolContext {
  readonly baseUrl: string
  /** The JSON Schema of what is published. */
  readonly toJsonSchema: (schema: z.ZodType) => Readonly<Record<string, unknown>>
  readonly report: (error: unknown) => void
}

/** A tool that costs nothing. `run` answers with text or with an object. */
export interface FreeTool<Input extends z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly annotations?: ToolAnnotations
  /** Whether what it says follows from its arguments, of which there are few, for as long as the program runs. */
  readonly isLasting?: true
  readonly run: (input: z.output<Input>) => Promise<string | object> | string | object
}

/** What reads changes nothing, so no other hint says more. */
const reading: ToolAnnotations = { readOnlyHint: true }
const maxDepth = 32

/** Makes a tool of what it reads and does; whatever goes wrong is answered as a problem with a code and a hint. */
export function defineTool<Input extends z.ZodObject>(
  { name, title, description, input, annotations = reading, isLasting, run }: FreeTool<Input>,
  { baseUrl, toJsonSchema, report }: ToolContext,
): Tool {
  const kept = new Map<string, ToolAnswer>()
  async function answer(asked: z.output<Input>): Promise<ToolAnswer> {
    if (!isLasting) return toAnswer(await run(asked))
    const key = JSON.stringify(asked)
    const known = kept.get(key) ?? keepWritten(toAnswer(await run(asked)))
    kept.set(key, known)
    return known
  }
  return {
    name,
    title,
    description,
    inputSchema: toBrief(toJsonSchema(input)),
    annotations,
    async call({ arguments: given = {}, requestId }) {
      const fail = (problem: Problem): ToolAnswer => {
        // Older clients check the structure of an error against the output schema as well: it stays in the text.
        const { structuredContent: _, ...answer } = toToolProblem(problem, { baseUrl, requestId })
        return answer
      }
      if (!isShallow(given, maxDepth)) return fail(new Problem('invalid-input', { errors: [tooDeep] }))
      const read = validate(input, given)
      if (read.is === 'wrong')
        return fail(new Problem('invalid-input', { errors: read.faults.map(toPointed), detail: wrong }))
      try {
        return await answer(read.value)
      } catch (error) {
        if (error instanceof Problem) return fail(error)
        report(error)
        return fail(new Problem('internal-error', { retryAfterSeconds: 5 }))
      }
    },
  }
}

const tooDeep = { pointer: '', detail: `may be nested ${maxDepth} levels deep at most` }
const wrong = 'The arguments do not match the schema of the tool'

const toAnswer = (value: string | object): ToolAnswer =>
  typeof value === 'string'
    ? { content: [{ type: 'text', text: value }] }
    : { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: { ...value } }
