import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../config/config.ts'
import { toJsonSchema } from '../core/json-schema.ts'
import { toolServerIdentity } from '../discovery/tool-server-identity.ts'
import { makeLibrary } from '../mcp/library.ts'
import { type McpDeps, makeMcp } from '../mcp/make-mcp.ts'
import { catalogSchema } from '../offers/catalog-schema.ts'
import type { Offer } from '../offers/offer.ts'
import { searchResultSchema } from '../search/search-result-schema.ts'
import { transcriptHitsSchema } from '../search/transcripts/transcript-hits-schema.ts'
import { statisticsSchema } from '../stats/statistics-schema.ts'
import { type Build, buildFiles } from '../storage/build-folder.ts'
import type { Services } from './services.ts'

interface Options extends Pick<McpDeps, 'sell' | 'report' | 'operator'> {
  readonly config: Pick<Config, 'baseUrl' | 'gameUrl'>
  readonly build: Build
  readonly offers: readonly Offer[]
  readonly services: Pick<Services, 'search' | 'searchTranscripts' | 'statistics' | 'library'>
}

const postSchema = z.array(z.object({ slug: z.string(), title: z.string(), excerpt: z.string() }))

/** The tools over a build and the running services. */
export function openMcp({ config, build, offers, services, ...rest }: Options): Services['mcp'] {
  const { client, privateTexts } = buildFiles(build.folder)
  // Every post is in it, whether it is narrated or not.
  const posts = postSchema.parse(JSON.parse(readFileSync(join(privateTexts, 'podcast-posts.json'), 'utf8')))
  const skills = offers.filter(({ lane }) => lane === 'skill')
  const { search, searchTranscripts, statistics } = services
  return makeMcp({
    ...rest,
    offers,
    search,
    searchTranscripts,
    statistics,
    owned: services.library,
    identity: { ...toolServerIdentity, baseUrl: config.baseUrl },
    gameUrl: config.gameUrl,
    library: makeLibrary({ client, manifest: build.manifest, posts, skills }),
    schemas: {
      search: searchResultSchema,
      transcripts: transcriptHitsSchema,
      catalog: catalogSchema,
      statistics: statisticsSchema,
    },
    toJsonSchema: (schema) => ({ ...toJsonSchema(schema) }),
  })
}
