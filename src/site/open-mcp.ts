import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../config/config.ts'
import { toJsonSchema } from '../core/json-schema.ts'
import { toolServerIdentity } from '../discovery/tool-server-identity.ts'
import { makeFreeTools } from '../mcp/free-tools.ts'
import { makeLibrary } from '../mcp/library.ts'
import { type McpDeps, makeMcp } from '../mcp/make-mcp.ts'
import { type AnswerPlainly, makePlainAnswers } from '../mcp/plain-answers.ts'
import type { Offer } from '../offers/offer.ts'
import { type Build, buildFiles } from '../storage/build-folder.ts'
import type { Services } from './services.ts'

interface Options extends Pick<McpDeps, 'sell' | 'terms' | 'readPurchase' | 'report' | 'operator'> {
  readonly config: Pick<Config, 'baseUrl' | 'gameUrl'>
  readonly build: Build
  readonly offers: readonly Offer[]
  readonly services: Pick<Services, 'search' | 'searchTranscripts' | 'statistics' | 'library'>
}

const postSchema = z.array(z.object({ slug: z.string(), title: z.string(), excerpt: z.string() }))

/** Opens the MCP tools for a build and the running services, and the short path for plain calls of free tools. */
export function openMcp({ config, build, offers, services, ...rest }: Options): {
  readonly mcp: Services['mcp']
  readonly answerPlainly: AnswerPlainly
} {
  const { client, privateTexts } = buildFiles(build.folder)
  // The file has every post, whether it is narrated or not.
  const posts = postSchema.parse(JSON.parse(readFileSync(join(privateTexts, 'podcast-posts.json'), 'utf8')))
  const skills = offers.filter(({ lane }) => lane === 'skill')
  const { search, searchTranscripts, statistics } = services
  const { baseUrl } = config
  const deps = {
    ...rest,
    offers,
    search,
    searchTranscripts,
    statistics,
    owned: services.library,
    identity: { ...toolServerIdentity, baseUrl },
    gameUrl: config.gameUrl,
    library: makeLibrary({ client, manifest: build.manifest, posts, skills }),
    toJsonSchema: (schema: z.ZodType) => ({ ...toJsonSchema(schema) }),
  }
  const mcp = makeMcp(deps)
  return { mcp, answerPlainly: makePlainAnswers({ baseUrl, tools: makeFreeTools(deps, { ...deps, baseUrl }), mcp }) }
}
