/** What the body is, whatever its label says. */
export type Kind = 'html' | 'xml' | 'json' | 'text' | 'binary' | 'empty'

export function toKind(text: string): Kind {
  const start = text.slice(0, 2000).trimStart()
  if (start === '' && text.trim() === '') return 'empty'
  if (/^(?:<!--[^>]*-->\s*)?<(?:!doctype html|html|head|body|title)[\s>]/i.test(start)) return 'html'
  if (/^<\?xml/.test(start)) return /<html[\s>]/i.test(start) ? 'html' : 'xml'
  if (/^<[a-z]/i.test(start)) return 'xml'
  if (/^[[{]/.test(start)) return 'json'
  return /\0|\uFFFD{3}/.test(start) ? 'binary' : 'text'
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
