/** What the body is, whatever its label says. */
export type Kind = 'html' | 'xml' | 'json' | 'text' | 'binary' | 'empty'

/** What a page may begin with, and no document of XML that is looked for here (WHATWG MIME Sniffing, and what it lacks). */
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

/** What a body is, in words. */
export const nameOf = ({ kind }: { readonly kind: Kind }): string => names[kind]
