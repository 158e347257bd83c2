/** The paths where agents and editors look for something, in the order of the report. */
export const surfacePaths = [
  '/',
  '/sitemap.xml',
  '/robots.txt',
  '/rss.xml',
  '/feed.json',
  '/llms.txt',
  '/llms-full.txt',
  '/skills.json',
  '/api/catalog.json',
  '/_cms/admin/',
  '/_cms/api/mcp',
  '/.well-known/oauth-protected-resource',
] as const

export type SurfacePath = (typeof surfacePaths)[number]
