/** Where everything else is. A key is here only when its target answers; names never change, so clients keep them. */
export const toPointers = (baseUrl: string): Record<string, string> => ({
  skills_manifest: `${baseUrl}/skills.json`,
  llms_discovery: `${baseUrl}/llms.txt`,
  openapi: `${baseUrl}/openapi.json`,
  agent_docs: `${baseUrl}/agents`,
  sitemap: `${baseUrl}/sitemap.xml`,
  rss: `${baseUrl}/rss.xml`,
  atom: `${baseUrl}/atom.xml`,
  json_feed: `${baseUrl}/feed.json`,
  search: `${baseUrl}/api/search.json`,
  stats: `${baseUrl}/api/stats.json`,
})
