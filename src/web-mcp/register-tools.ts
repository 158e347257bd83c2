/** A tool that a page offers to the agent in the browser (WebMCP). */
interface PageTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
  readonly annotations: { readonly readOnlyHint: boolean }
  readonly execute: (input: Readonly<Record<string, unknown>>) => Promise<object>
}

/** The interface that browsers with WebMCP offer. */
export interface ModelContext {
  registerTool(tool: PageTool): void
}

const readOnly = { annotations: { readOnlyHint: true } } as const

/** Fetches JSON as the text of a result; the text of an error tells the agent what is wrong. */
async function ask(path: string): Promise<object> {
  const answer = await fetch(path, { headers: { accept: 'application/json' } })
  const text = await answer.text()
  return { content: [{ type: 'text', text }], ...(!answer.ok && { isError: true }) }
}

/** Offers the search and the list of skills to an agent in the browser. */
export function registerTools(context: ModelContext): void {
  context.registerTool({
    name: 'search_posts',
    description: 'Searches the posts of this site and gives the best matches with their addresses.',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', minLength: 2, description: 'Words that must all be there' } },
      required: ['query'],
    },
    ...readOnly,
    execute: ({ query }) => ask(`/api/search.json?${new URLSearchParams({ q: String(query), collections: 'posts' })}`),
  })
  context.registerTool({
    name: 'list_skills',
    description: 'Lists the agent skills that are for sale here, with their prices and free previews.',
    inputSchema: { type: 'object', properties: {} },
    ...readOnly,
    execute: () => ask('/skills.json'),
  })
}
