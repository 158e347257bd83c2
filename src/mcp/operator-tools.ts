import type { OperatorAccess } from '../oauth/operator-access.ts'
import { defineTool, type Tool, type ToolContext } from './tool.ts'

/** The operator's tools, for who signed in: nobody else is told that there are any. */
export const toOperatorTools = (operator: OperatorAccess | undefined, context: ToolContext): Tool[] =>
  (operator?.tools ?? []).map(({ inputSchema, ...tool }) => defineTool({ ...tool, input: inputSchema }, context))
