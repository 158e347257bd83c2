import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { Problem } from '../core/problem.ts'
import { toRefusedQuery } from '../endpoints/refused-query.ts'
import { type SitePath, served } from '../endpoints/served.ts'
import { readQuery } from '../http/read-query.ts'
import type { NodeHandle, Route } from '../http/route.ts'
import type { SecurityHeaders } from '../http/security-headers.ts'
import { makeWriteText } from '../http/short-document.ts'
import { searchQuery, transcriptQuery } from '../search/search-query.ts'
import type { Services } from './services.ts'

interface Options {
  readonly services: Pick<Services, 'search' | 'searchTranscripts'>
  readonly security: SecurityHeaders
}

/**
 * The searches, which are requested with every letter that somebody types. They use Node's own objects, because Astro
 * and Node create so many objects with finalizers per request that V8 keeps 16 KB of each until a full collection.
 */
export function makeSearchRoutes({ services, security }: Options): Route<NodeHandle>[] {
  const write = makeWriteText(security)
  const search = <Schema extends z.ZodObject>(
    path: SitePath,
    schema: Schema,
    find: (query: z.output<Schema>) => object,
  ): Route<NodeHandle> => {
    const about = { ...served(path), hasTag: true }
    return {
      path,
      handlers: {
        GET(req, res) {
          const read = readQuery(schema, queryOf(req))
          if (read.is === 'refused') throw new Problem('invalid-input', toRefusedQuery(read.errors))
          write(about, JSON.stringify(find(read.value)), req, res)
        },
      },
    }
  }
  return [
    search('/api/search.json', searchQuery, services.search),
    search('/api/transcripts/search.json', transcriptQuery, services.searchTranscripts),
  ]
}

const queryOf = ({ url = '' }: IncomingMessage): URLSearchParams => new URL(url, 'http://any').searchParams
