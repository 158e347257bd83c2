const maxLines = 20_000

/** Reads robots.txt as RFC 9309 says: agents that follow each other share the rules after them. */
export function readRobots(text: string) {
  /** Rules and whom they are for, in lower case. */
  const groups: { agents: string[]; disallowed: string[]; allowed: string[]; signals: string[] }[] = []
  const sitemaps: string[] = []
  let namesFollow = false
  for (const line of text.split(/\r\n?|\n/, maxLines)) {
    const colon = line.indexOf(':')
    const key = line.slice(0, Math.max(colon, 0)).trim().toLowerCase()
    const [value = ''] = line.slice(colon + 1).split('#')
    if (colon === -1 || key.startsWith('#')) continue
    if (key === 'sitemap') sitemaps.push(line.slice(colon + 1).trim())
    else if (key === 'user-agent') {
      if (!namesFollow) groups.push({ agents: [], disallowed: [], allowed: [], signals: [] })
      groups.at(-1)?.agents.push(value.trim().toLowerCase())
    }
    namesFollow = key === 'user-agent' || (key === 'sitemap' && namesFollow)
    if (key === 'disallow') groups.at(-1)?.disallowed.push(value.trim())
    if (key === 'allow') groups.at(-1)?.allowed.push(value.trim())
    if (key === 'content-signal') groups.at(-1)?.signals.push(value.trim())
  }
  return { groups, sitemaps }
}
