import { escapeHtml } from '../../core/escape-html.ts'

/** The feeds of posts; hubs are notified of their changes. */
export const postFeeds = ['/rss.xml', '/atom.xml', '/feed.json'] as const

const selfLinks = { rss: /<atom:link [^>]*rel="self"[^>]*\/>/, atom: /<link rel="self"[^>]*\/>/ } as const

/** Adds links to the hubs beside a feed's self link (WebSub). Done here, because the package supports only one hub. */
export const withHubs = (xml: string, hubs: readonly string[], kind: keyof typeof selfLinks): string => {
  const name = kind === 'rss' ? 'atom:link' : 'link'
  const links = hubs.map((hub) => `<${name} rel="hub" href="${escapeHtml(hub)}"/>`).join('')
  return xml.replace(selfLinks[kind], (self) => self + links)
}

/** The `Link` header with the same links, for clients that do not parse the feed; no header where there is no hub. */
export function toHubLinks(feedUrl: string, hubs: readonly string[]): Readonly<Record<string, string>> {
  if (hubs.length === 0) return {}
  const links = [...hubs.map((hub) => `<${new URL(hub).href}>; rel="hub"`), `<${feedUrl}>; rel="self"`]
  return { link: links.join(', ') }
}
