import { type Node, nodesOf, parseMarkdown } from './writing-tree.ts'

/** Where the address begins in what links, shows a picture, or defines either. */
const beginnings: Readonly<Record<string, string>> = { link: '](', image: '](', definition: ']:' }

interface Change {
  readonly at: number
  readonly length: number
  readonly text: string
}

/**
 * Markdown for readers elsewhere: every link has an absolute address, and a picture that only the sources have is said
 * in words. Code stays as it is.
 */
export function toAbsoluteMarkdown(markdown: string, pageUrl: string): string {
  const changes = nodesOf(parseMarkdown(markdown)).flatMap((node) => toChange(node, markdown, pageUrl) ?? [])
  let text = markdown
  for (const { at, length, text: instead } of changes.toSorted((one, other) => other.at - one.at))
    text = text.slice(0, at) + instead + text.slice(at + length)
  return text
}

function toChange(
  { type, position, url = '', alt, children = [] }: Node,
  markdown: string,
  pageUrl: string,
): Change | undefined {
  const sign = beginnings[type]
  const absolute = URL.parse(url, pageUrl)?.href
  if (sign === undefined || !position || absolute === undefined || URL.canParse(url)) return undefined
  const [start = 0, end = 0] = [position.start.offset, position.end.offset]
  if (type === 'image' && !url.startsWith('/')) return { at: start, length: end - start, text: `(Image: ${alt ?? ''})` }
  const words = children.at(-1)?.position?.end.offset ?? start
  const from = type === 'image' ? markdown.lastIndexOf(sign, end - sign.length) : markdown.indexOf(sign, words)
  const at = markdown.indexOf(url, from + sign.length)
  return from < start || at < 0 || at >= end ? undefined : { at, length: url.length, text: absolute }
}
