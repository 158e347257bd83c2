/** A tool as a page hands it to the browser's agent (WebMCP). */
interface PageTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: object
  readonly annotations: { readonly readOnlyHint: boolean }
  readonly execute: (input: Readonly<Record<string, unknown>>) => Promise<object>
}

/** What a browser with WebMCP has and others do not. */
export interface ModelContext {
  registerTool(tool: PageTool): void
}

const readOnly = { annotations: { readOnlyHint: true } } as const

/** The JSON of an address as the text of an answer; what went wrong is told the agent in words. */
async function ask(path: string): Promise<object> {
  const answer = await fetch(path, { headers: { accept: 'application/json' } })
  const text = await answer.text()
  return { content: [{ type: 'text', text }], ...(!answer.ok && { isError: true }) }
}

/** Offers an agent in the browser what the page's own search and shop window do. */
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
