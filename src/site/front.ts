import type { Server } from 'node:http'
import { makeGuardedServer } from '../http/guarded-server.ts'
import { makeSecurityHeaders } from '../http/security-headers.ts'
import { makeSendProblem } from '../http/send-problem.ts'
import { makeStaticFiles } from '../http/static/static-files.ts'
import { type Build, buildFiles } from '../storage/build-folder.ts'
import { makeAudioRoutes } from './audio-routes.ts'
import { makeNarratedPages } from './narrated-pages.ts'
import { makeRequestListener, type RequestParts } from './route-request.ts'

export interface FrontOptions extends RequestParts {
  readonly build: Build
  /** Breaks off streams that would keep a stopping server waiting. */
  readonly signal: AbortSignal
}

/**
 * The site's HTTP server: health, the precomputed 402s, the build's files, and Astro for the rest.
 *
 * @example createFront({ build, handler: await loadHandler(build), services, quotes, limiter, routes, clientAddress, log, signal }).listen(4321)
 */
export function createFront({ build, signal, ...parts }: FrontOptions): Server {
  const { services, routes } = parts
  const { baseUrl } = build.facts
  const security = makeSecurityHeaders(baseUrl)
  const sendProblem = makeSendProblem({ baseUrl, security })
  const { client, narrated } = buildFiles(build.folder)
  const replace = makeNarratedPages({ folder: narrated, episodes: services.episodes, baseUrl, security })
  const files = makeStaticFiles({ client, manifest: build.manifest, security, sendProblem, replace })
  const audio = makeAudioRoutes({ services, security, sendProblem, signal })
  const own = { baseUrl, security, sendProblem, files }
  const route = makeRequestListener({ ...parts, ...own, routes: [...routes, ...audio] })
  return makeGuardedServer({ security, sendProblem, route })
}
