/** A placeholder in `content/pages` that is replaced by the site's address, so that commands can be copied and run. */
const exampleAddress = /https:\/\/shop\.example(?![\w.-])/g

const isPage = (path: string): boolean => /(?:^|\/)content\/pages\/[^/]+\.mdx(?:\?|$)/.test(path)

/** A page's source with the site's address in place of the placeholder; the source of other files unchanged. */
export const withOwnAddress = (source: string, path: string, baseUrl: string): string =>
  isPage(path) ? source.replace(exampleAddress, () => baseUrl) : source
