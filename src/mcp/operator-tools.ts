import type { OperatorAccess } from '../oauth/operator-access.ts'
import { defineTool, type Tool, type ToolContext } from './tool.ts'

/** The operator's tools. Only requests with the operator's sign-in get them; others do not see that they exist. */
export const toOperatorTools = (operator: OperatorAccess | undefined, context: ToolContext): Tool[] =>
  (operator?.tools ?? []).map(({ inputSchema, ...tool }) => defineTool({ ...tool, input: inputSchema }, context))
