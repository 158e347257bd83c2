import { escapeHtml } from '../../core/escape-html.ts'

/** The feeds of posts, whose changes hubs are told of. */
export const postFeeds = ['/rss.xml', '/atom.xml', '/feed.json'] as const

const selfLinks = { rss: /<atom:link [^>]*rel="self"[^>]*\/>/, atom: /<link rel="self"[^>]*\/>/ } as const

/** A feed that names its hubs beside its own address (WebSub). Done here, because the package knows one hub at most. */
export const withHubs = (xml: string, hubs: readonly string[], kind: keyof typeof selfLinks): string => {
  const name = kind === 'rss' ? 'atom:link' : 'link'
  const links = hubs.map((hub) => `<${name} rel="hub" href="${escapeHtml(hub)}"/>`).join('')
  return xml.replace(selfLinks[kind], (self) => self + links)
}

/** The `Link` header that says the same to who does not read the feed; nothing where there is no hub. */
export function toHubLinks(feedUrl: string, hubs: readonly string[]): Readonly<Record<string, string>> {
  if (hubs.length === 0) return {}
  const links = [...hubs.map((hub) => `<${new URL(hub).href}>; rel="hub"`), `<${feedUrl}>; rel="self"`]
  return { link: links.join(', ') }
}
