// A search engine behind minimal HTTP: `/?q=` answers the ten best of the generated posts, each with a snippet.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { create, insertMultiple, search } from '@orama/orama'
import MiniSearch from 'minisearch'
import { z } from 'zod'
import type { SearchDocument } from '../../src/search/search-document.ts'
import { searchTerms } from '../../src/search/search-terms.ts'
import { toOpening, toSnippet } from '../../src/search/snippet.ts'
import { makePosts } from '../search-corpus.ts'
import { servePeer } from './serve-peer.ts'

const optionsSchema = z.object({
  engine: z.enum(['MiniSearch', 'Orama']),
  posts: z.int(),
})
type Engine = (query: string) => Promise<object>

const boost = { title: 2, excerpt: 1, body: 0.3 }

/** These engines have no snippets, so they get ours: then all contenders return the same kind of response. */
function toAnswer(query: string, total: number, found: readonly (SearchDocument | undefined)[]): object {
  const terms = searchTerms(query)
  const results = found.flatMap((post) =>
    post ? [{ title: post.title, url: post.url, snippet: toSnippet(post.body, terms) ?? toOpening(post.excerpt) }] : [],
  )
  return { query, total, results }
}

function openMiniSearch(posts: readonly SearchDocument[]): Engine {
  const engine = new MiniSearch<SearchDocument>({ idField: 'url', fields: ['title', 'excerpt', 'body'] })
  engine.addAll(posts)
  const byUrl = new Map(posts.map((post) => [post.url, post]))
  return async (query) => {
    const found = engine.search(query, {
      boost,
      combineWith: 'AND',
      prefix: (_term, place, terms) => place === terms.length - 1,
    })
    const best = found.slice(0, 10).map(({ id }) => byUrl.get(String(id)))
    return toAnswer(query, found.length, best)
  }
}

async function openOrama(posts: readonly SearchDocument[]): Promise<Engine> {
  const engine = create({ schema: { title: 'string', excerpt: 'string', body: 'string' } })
  await insertMultiple(
    engine,
    posts.map(({ url, title, excerpt, body }) => ({ id: url, title, excerpt, body })),
  )
  const byUrl = new Map(posts.map((post) => [post.url, post]))
  return async (query) => {
    // A threshold of 0 asks for every term.
    const { count, hits } = await search(engine, { term: query, limit: 10, threshold: 0, boost })
    const best = hits.map(({ id }) => byUrl.get(id))
    return toAnswer(query, count, best)
  }
}

await servePeer(async (options) => {
  const { engine, posts: count } = optionsSchema.parse(options)
  const posts = makePosts(count)
  const engines: Readonly<Record<typeof engine, () => Engine | Promise<Engine>>> = {
    MiniSearch: () => openMiniSearch(posts),
    Orama: () => openOrama(posts),
  }
  const ask = await engines[engine]()
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams.get('q') ?? ''
    // Yields first, so that the close of an aborted connection is noticed: work for it would fall into the next
    // contender's round.
    setImmediate(() => {
      if (response.destroyed) return
      ask(query).then(
        (answer) => {
          const body = Buffer.from(JSON.stringify(answer))
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
        },
        () => response.writeHead(500).end(),
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
})
