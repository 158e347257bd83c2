/** Where everything else is. A key is here only when its target answers; names never change, so clients keep them. */
export const toPointers = (baseUrl: string): Record<string, string> => ({
  skills_manifest: `${baseUrl}/skills.json`,
  llms_discovery: `${baseUrl}/llms.txt`,
  openapi: `${baseUrl}/openapi.json`,
  agent_docs: `${baseUrl}/agents`,
  sitemap: `${baseUrl}/sitemap.xml`,
  rss: `${baseUrl}/rss.xml`,
  atom: `${baseUrl}/atom.xml`,
  podcast: `${baseUrl}/podcast.xml`,
  podcast_landing: `${baseUrl}/podcast`,
  audio_template: `${baseUrl}/audio/{storage_key}.mp3`,
  json_feed: `${baseUrl}/feed.json`,
  transcript_search: `${baseUrl}/api/transcripts/search.json`,
  search: `${baseUrl}/api/search.json`,
  stats: `${baseUrl}/api/stats.json`,
})
