import type { IncomingMessage, Server } from 'node:http'
import { oauthPaths } from '../oauth/places.ts'
import type { QuoteTable } from '../payments/quote-table.ts'
import { audioFolder, makeAudioFiles } from './audio-files.ts'
import { type AstroHandler, type Build, buildFiles } from './build-folder.ts'
import { makeGuardedServer } from './guarded-server.ts'
import type { Meter } from './meter.ts'
import { makeNarratedPages } from './narrated-pages.ts'
import { type LogFailure, makeRouter, type PlainHandler } from './route-request.ts'
import { makeSecurityHeaders } from './security-headers.ts'
import { makeSendProblem } from './send-problem.ts'
import type { Services } from './services.ts'
import { makeStaticFiles } from './static-files.ts'
import { makeVoiceSampleHandlers } from './voice-sample-handlers.ts'

export type { PlainHandler } from './route-request.ts'

export interface FrontOptions {
  readonly build: Build
  readonly handler: AstroHandler
  readonly services: Services
  readonly quotes: QuoteTable
  readonly meter: Meter
  /** Answer GET and HEAD of `/healthz` and `/readyz`. */
  readonly health: { readonly healthz: PlainHandler; readonly readyz: PlainHandler }
  /** The authorization server of the operator's tools. */
  readonly oauth: PlainHandler
  /** Who asks: the peer, or whom a trusted proxy names. */
  readonly clientAddress: (req: IncomingMessage) => string
  readonly log: LogFailure
  /** Breaks off streams that would keep a stopping server waiting. */
  readonly signal: AbortSignal
}

/**
 * The site's HTTP server: health, the precomputed 402s, the build's files, and Astro for the rest.
 *
 * @example createFront({ build, handler: await loadHandler(build), services, quotes, meter, health, oauth, clientAddress, log, signal }).listen(4321)
 */
export function createFront(options: FrontOptions): Server {
  const { build, handler, services, quotes, meter, health, oauth, clientAddress, log, signal } = options
  const { baseUrl } = build.facts
  const security = makeSecurityHeaders(baseUrl)
  const sendProblem = makeSendProblem({ baseUrl, security })
  const { client, narrated } = buildFiles(build.folder)
  const narratedPage = makeNarratedPages({ folder: narrated, episodes: services.episodes, baseUrl, security })
  const files = makeStaticFiles({ client, manifest: build.manifest, security, sendProblem, narratedPage })
  const plain = new Map([
    ['/healthz', health.healthz],
    ['/readyz', health.readyz],
    ...makeVoiceSampleHandlers({ samples: services.voiceSamples, security, sendProblem, signal }),
  ])
  const folders = new Map([
    [audioFolder, makeAudioFiles({ episodes: services.episodes, security, sendProblem, signal })],
  ])
  const { folder, serverMetadata, resourceMetadata } = oauthPaths
  const route = makeRouter({
    baseUrl,
    security,
    sendProblem,
    files,
    plain,
    folders,
    whole: new Map([folder, serverMetadata, ...resourceMetadata].map((path) => [path, oauth])),
    clientAddress,
    quotes,
    meter,
    handler,
    services,
    log,
  })
  return makeGuardedServer(security, route)
}
