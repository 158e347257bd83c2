import { z } from 'zod'
import { Problem } from '../core/problem.ts'
import { type Offer, pagePath, priceText } from '../offers/offer.ts'
import { askingSchema, signedSchema } from '../owners/library-schema.ts'
import type { OwnersLibrary } from '../owners/open-library.ts'
import { queryText, results, type SearchQuery } from '../search/search-query.ts'
import type { SearchResult } from '../search/search-result-schema.ts'
import type { SearchTranscripts } from '../search/transcripts/search-transcripts.ts'
import type { Statistics } from '../stats/statistics.ts'
import type { Library } from './library.ts'
import { defineTool, type Tool, type ToolContext } from './tool.ts'
import { freeShelf, previewPath, toToolName } from './tool-shelf.ts'

export interface FreeToolDeps {
  readonly offers: readonly Offer[]
  readonly library: Library
  readonly search: (query: SearchQuery) => SearchResult
  readonly searchTranscripts: SearchTranscripts
  readonly statistics: () => Promise<Statistics>
  /** The purchases of wallets. */
  readonly owned: Pick<OwnersLibrary, 'toMessage' | 'listFor'>
}

const limit = z.int().min(1).max(results.most).default(results.usual)
const nothing = z.object({})
const lane = z.enum(['skill', 'hostedApi', 'content'])

const shelved = (name: keyof typeof freeShelf) => {
  const { title, about } = freeShelf[name]
  return { name, title, description: about }
}

/** The slug in an address, or the text itself if it is a slug: models often pass the address. */
function toSlug(text: string): string {
  const last = text
    .replace(/[?#].*$/, '')
    // Some programs add a trailing slash.
    .replace(/\/$/, '')
    .replace(/^.*\//, '')
    .replace(/\.md$/, '')
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

/** The free tools: reading, searching and looking things up. */
export function makeFreeTools(deps: FreeToolDeps, context: ToolContext): Tool[] {
  const { offers, library } = deps
  const { baseUrl } = context
  const getText = async (path: string, advice: string): Promise<string> => {
    const text = await library.find(encodeURI(path.toWellFormed()))
    if (text === undefined) throw new Problem('not-found', { detail: advice })
    return text
  }

  return [
    defineTool(
      {
        ...shelved('search_posts'),
        input: z.object({ query: queryText, limit }),
        run: ({ query: q, limit: most }) => deps.search({ q, limit: most, collections: ['posts'] }),
      },
      context,
    ),
    defineTool(
      {
        ...shelved('get_post'),
        input: z.object({ slug: z.string().max(500).describe('The last part of its address: /posts/{slug}') }),
        run: ({ slug }) => getText(`/posts/${toSlug(slug)}.md`, 'There is no such post; search_posts finds slugs'),
      },
      context,
    ),
    defineTool(
      {
        ...shelved('search_transcripts'),
        input: z.object({
          query: queryText.meta({ description: undefined }),
          limit,
          post: z.string().max(500).optional(),
        }),
        run: ({ post, query: q, limit: most }) =>
          deps.searchTranscripts({ q, limit: most, post: post && toSlug(post) }),
      },
      context,
    ),
    defineTool(
      {
        ...shelved('list_products'),
        input: z.object({ lane: lane.optional() }),
        isLasting: true,
        run(asked) {
          const products = offers
            .filter((offer) => asked.lane === undefined || offer.lane === asked.lane)
            .map((offer) => toListed(offer, baseUrl))
          return { count: products.length, products }
        },
      },
      context,
    ),
    defineTool(
      {
        ...shelved('get_product_preview'),
        input: z.object({ slug: z.string().max(500).describe('From list_products') }),
        run({ slug }) {
          const wanted = toSlug(slug)
          const offer = offers.find((one) => one.slug === wanted)
          if (!offer) throw new Problem('not-found', { detail: 'There is no such product; list_products lists them' })
          return getText(previewPath(offer), 'This product has no page')
        },
      },
      context,
    ),
    defineTool(
      {
        ...shelved('get_sales_statistics'),
        input: nothing,
        run: deps.statistics,
      },
      context,
    ),
    defineTool(
      {
        ...shelved('library'),
        input: z.object({
          address: askingSchema.shape.address.meta({ description: undefined }),
          ...signedSchema.partial().shape,
        }),
        run: ({ address, message, signature }) =>
          message !== undefined && signature !== undefined
            ? deps.owned.listFor({ message, signature })
            : {
                message: deps.owned.toMessage(address),
                next: 'Sign the message, and call again with the message and its signature',
              },
      },
      context,
    ),
  ]
}

const toListed = (offer: Offer, baseUrl: string) => ({
  slug: offer.slug,
  lane: offer.lane,
  title: offer.title,
  excerpt: offer.excerpt,
  price: priceText(offer),
  tool: toToolName(offer),
  buyUrl: baseUrl + offer.path,
  previewUrl: baseUrl + pagePath(offer),
})
