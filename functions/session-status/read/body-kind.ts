/** What a body is by its contents, whatever its Content-Type says. */
export type Kind = 'html' | 'xml' | 'json' | 'text' | 'binary' | 'empty'

/**
 * Tags with which HTML may begin, and no XML document that is looked for here: those of WHATWG MIME Sniffing, and more.
 */
const page =
  /^<(?:!doctype\s+html|html|head|body|title|meta|link|base|script|style|iframe|main|header|div|table|center|h1|p|a|b|br|font)[\s/>]/i

export function toKind(text: string): Kind {
  const start = afterComments(text).slice(0, 2000)
  if (start === '' && text.trim() === '') return 'empty'
  if (page.test(start)) return 'html'
  if (/^<\?xml/.test(start)) return /<html[\s>]/i.test(start) ? 'html' : 'xml'
  if (/^<(?:!doctype\s|[a-z])/i.test(start)) return 'xml'
  if (/^[[{]/.test(start)) return 'json'
  return /\0|\uFFFD{3}/.test(start) ? 'binary' : 'text'
}

/** A text without the comments and the space before it: generators like to name themselves there. */
function afterComments(text: string): string {
  let start = text.trimStart()
  while (start.startsWith('<!--')) {
    const end = start.indexOf('-->', 4)
    if (end < 0) break
    start = start.slice(end + 3).trimStart()
  }
  return start
}

const names: Readonly<Record<Kind, string>> = {
  html: 'an HTML page',
  xml: 'XML',
  json: 'JSON',
  text: 'plain text',
  binary: 'not text',
  empty: 'empty',
}

/** The kind of a body as words for a report. */
export const nameOf = ({ kind }: { readonly kind: Kind }): string => names[kind]
