/** A block of code. Attribute values may contain a `>`, as in the title `client -> server`. */
const block = /<pre\b((?:[^>"]|"[^"]*")*)>([\s\S]*?)<\/pre>/g
const ofPages = / data-(?:title|tab)="[^"]*"/g

/**
 * Removes the colours of code from rendered HTML, because they mean nothing without the site's styles. The title of a
 * block becomes a caption, and marked lines stay marked.
 */
export const plainCode = (html: string): string =>
  html.replace(block, (_, attributes: string, code: string) => {
    const [, title] = / data-title="([^"]*)"/.exec(attributes) ?? []
    const plain = `<pre${attributes.replace(ofPages, '')}>${code.replace(/<\/?span\b[^>]*>/g, '')}</pre>`
    return title === undefined
      ? plain
      : `<figure><figcaption>${title.replaceAll('<', '&lt;')}</figcaption>${plain}</figure>`
  })
