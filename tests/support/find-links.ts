const attribute = /\s(?:href|src|action|poster|formaction)="([^"]*)"/g
const addressList = /\s(?:srcset|imagesrcset)="([^"]*)"/g
const markdownLink = /\]\(([^()\s]+)(?:\s"[^"]*")?\)/g
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#38': '&' }

const decode = (text: string): string => text.replace(/&(amp|lt|gt|quot|#39|#38);/g, (_, name) => entities[name] ?? '')
const allOf = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found)

/**
 * Links in a document and addresses of its own site, as absolute URLs. In every format, absolute URLs count anywhere in
 * the text, without the punctuation of the sentence around them; URL templates are found too, with their braces.
 */
export function findLinks(text: string, { type, url }: { type: string; url: string }): string[] {
  const { origin } = new URL(url)
  // Feeds contain escaped HTML.
  const plain = /html|xml/.test(type) ? decode(decode(text)) : text
  const named = allOf(plain, new RegExp(`(${RegExp.escape(origin)}(?![\\w.-])[^\\s"'()<>\\\\\`|\\]]*)`, 'g'))
  const links = type.startsWith('text/html')
    ? [
        ...allOf(text, attribute).map(decode),
        ...allOf(text, addressList)
          .flatMap((list) => decode(list).split(/,\s+/))
          .map((one) => one.split(' ')[0] ?? ''),
      ]
    : /^text\/(?:markdown|plain)/.test(type)
      ? allOf(text, markdownLink)
      : []
  const all = [...named.map((name) => name.replace(/[.,;:!?*…]+$/, '')), ...links].map((link) => URL.parse(link, url))
  return [...new Set(all.flatMap((link) => (link?.origin === origin ? [link.href] : [])))]
}
