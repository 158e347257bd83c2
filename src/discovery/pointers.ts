/** Where everything else is. A key is here only when its target answers; names never change, so clients keep them. */
export const toPointers = (baseUrl: string): Record<string, string> => ({
  skills_manifest: `${baseUrl}/skills.json`,
  openapi: `${baseUrl}/openapi.json`,
  agent_docs: `${baseUrl}/agents`,
  stats: `${baseUrl}/api/stats.json`,
})
