import { Problem } from '../core/problem.ts'
import type { OperatorAccess } from '../oauth/operator-access.ts'
import { defineTool, type Tool, type ToolContext } from './tool.ts'

/** The operator's tools: everybody sees that they are there, and who signed in may call them. */
export const toOperatorTools = (
  operator: OperatorAccess | undefined,
  signedIn: ReadonlySet<string>,
  context: ToolContext,
): Tool[] =>
  (operator?.tools ?? []).map(({ description, inputSchema, run, ...tool }) =>
    defineTool(
      {
        ...tool,
        description: `${description} Needs the operator's sign-in.`,
        input: inputSchema,
        async run(input) {
          if (!signedIn.has(tool.name))
            throw new Problem('not-found', { detail: 'Call this tool in a request of its own' })
          return run(input)
        },
      },
      context,
    ),
  )
