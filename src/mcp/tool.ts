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

/**
 * A tool as it is listed and called. It validates its own arguments, so that it can report everything that is wrong.
 */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /**
   * JSON Schema of an object. There is no output schema: models read results without one, and it would lengthen every
   * list of tools.
   */
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly annotations: ToolAnnotations
  /** Metadata for programs other than the model, such as wallets. */
  readonly meta?: Readonly<Record<string, unknown>>
  readonly call: (call: ToolCall) => Promise<ToolAnswer>
}

export interface ToolContext {
  readonly baseUrl: string
  /** Makes the JSON Schema to publish. */
  readonly toJsonSchema: (schema: z.ZodType) => Readonly<Record<string, unknown>>
  readonly report: (error: unknown) => void
}

/** A free tool. `run` returns text or an object. */
export interface FreeTool<Input extends z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly annotations?: ToolAnnotations
  /**
   * Whether its result depends only on the arguments, of which there are few variants, so that results can be cached
   * while the program runs.
   */
  readonly isLasting?: true
  readonly run: (input: z.output<Input>) => Promise<string | object> | string | object
}

/** Free tools only read; the other hints have no meaning for those. */
const reading: ToolAnnotations = { readOnlyHint: true }
const maxDepth = 32

/** Makes a tool from its declaration. Every error becomes a problem with a code and a hint. */
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
        // Older clients validate the structured content of errors, too, so the problem is only in the text.
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
