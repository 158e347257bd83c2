/** Values of attributes may have a `>`, as in the title `client -> server`. */
const block = /<pre\b((?:[^>"]|"[^"]*")*)>([\s\S]*?)<\/pre>/g
const ofPages = / data-(?:title|tab)="[^"]*"/g

/**
 * A rendered text whose code carries no colours: they mean nothing where the site's styles are not. Its title is a
 * caption, and marked lines stay marked.
 */
export const plainCode = (html: string): string =>
  html.replace(block, (_, attributes: string, code: string) => {
    const [, title] = / data-title="([^"]*)"/.exec(attributes) ?? []
    const plain = `<pre${attributes.replace(ofPages, '')}>${code.replace(/<\/?span\b[^>]*>/g, '')}</pre>`
    return title === undefined
      ? plain
      : `<figure><figcaption>${title.replaceAll('<', '&lt;')}</figcaption>${plain}</figure>`
  })
