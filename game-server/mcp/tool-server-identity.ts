/** The name and description of the MCP server, for clients and directories. */
export const toolServerIdentity = {
  name: 'dungeon',
  title: 'Undercroft',
  description:
    'A dungeon of twelve levels that people and programs play together in plain characters. The world moves only when you act, so a slow thinker is as safe as a fast one. Free to play; the store sells nothing that helps.',
  version: '1.0.0',
} as const
