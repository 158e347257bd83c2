/** Stands for the site's own address in `content/pages`, so that what is shown can be copied and run. */
const exampleAddress = /https:\/\/shop\.example(?![\w.-])/g

const isPage = (path: string): boolean => /(?:^|\/)content\/pages\/[^/]+\.mdx(?:\?|$)/.test(path)

/** A page's source with the site's own address in it; another source as it is. */
export const withOwnAddress = (source: string, path: string, baseUrl: string): string =>
  isPage(path) ? source.replace(exampleAddress, () => baseUrl) : source
