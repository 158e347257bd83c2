import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import type { Library, Reading } from './library.ts'

/**
 * The largest number of posts in a list, which hosts show completely. Older ones can be searched, and read by their
 * address.
 */
const mostListed = 200

/** Reads a purchase by the address that only its buyer got; undefined when it is no longer kept. */
export type ReadPurchase = (uri: string) => Promise<{ body: Uint8Array; mimeType: string } | undefined>

/** The same, with a placeholder or text for the response. */
export type ReadBought = (uri: string) => Promise<{ text: string; mimeType: string } | undefined>

interface Resources {
  readonly library: Library
  readonly readBought: ReadBought
  readonly baseUrl: string
}

interface Shelf {
  readonly folder: 'posts' | 'skills'
  readonly title: string
  readonly description: string
  readonly readings: readonly Reading[]
}

/**
 * Registers the catalog, the posts and the free parts of skills as resources, under their web addresses, and purchases.
 */
export function addResources(server: McpServer, { library, readBought, baseUrl }: Resources): void {
  const shelves: readonly Shelf[] = [
    { folder: 'posts', title: 'Posts', description: 'A post, whole', readings: library.posts },
    {
      folder: 'skills',
      title: 'Skills',
      description: 'A skill: what it is and how it begins',
      readings: library.skills,
    },
  ]
  const catalog = '/api/catalog.json'
  server.registerResource(
    'catalog',
    baseUrl + catalog,
    {
      title: 'Catalog',
      description: 'Everything for sale with its terms, and where every other document is',
      mimeType: 'application/json',
    },
    async ({ href }) => {
      const text = await library.find(catalog)
      if (text === undefined) throw new ResourceNotFoundError(href)
      return { contents: [{ uri: href, mimeType: 'application/json', text }] }
    },
  )
  server.registerResource(
    'purchase',
    new ResourceTemplate('purchase:///{receipt}/{token}/{file}', { list: undefined }),
    {
      title: 'Purchase',
      description: 'What you bought, if it was too long for an answer',
      cacheHint: { ttlMs: 0, cacheScope: 'private' },
    },
    async ({ href }) => {
      const bought = await readBought(href)
      if (!bought) throw new ResourceNotFoundError(href)
      return { contents: [{ uri: href, ...bought }] }
    },
  )
  for (const { folder, title, description, readings } of shelves) {
    const urlOf = (slug: string): string => encodeURI(`${baseUrl}/${folder}/${slug}.md`)
    const resources = readings.slice(0, mostListed).map(({ slug, title, excerpt }) => ({
      uri: urlOf(slug),
      name: slug,
      title,
      description: excerpt,
      mimeType: 'text/markdown',
    }))
    const template = new ResourceTemplate(`${baseUrl}/${folder}/{slug}.md`, {
      list: () => ({ resources }),
      complete: { slug: (start) => readings.map(({ slug }) => slug).filter((slug) => slug.startsWith(start)) },
    })
    server.registerResource(folder, template, { title, description, mimeType: 'text/markdown' }, async ({ href }) => {
      const text = await library.find(new URL(href).pathname)
      if (text === undefined) throw new ResourceNotFoundError(href)
      return { contents: [{ uri: href, mimeType: 'text/markdown', text }] }
    })
  }
}
