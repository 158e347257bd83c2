import type { RequestListener } from 'node:http'
import { makeSecurityHeaders } from '../http/security-headers.ts'
import { makeSendProblem } from '../http/send-problem.ts'
import type { ReadKept } from '../http/static/keep-files.ts'
import type { StaticFile } from '../http/static/static-file.ts'
import { makeStaticFiles } from '../http/static/static-files.ts'
import type { DeferredPictureStore } from '../images/open-deferred-pictures.ts'
import type { ShownMentions } from '../mentions/open-shown-mentions.ts'
import { type Build, buildFiles } from '../storage/build-folder.ts'
import { makeAudioRoutes } from './audio-routes.ts'
import { makeNarratedPages } from './narrated-pages.ts'
import { newsletterOrigins } from './open-newsletter.ts'
import { makeRequestListener, type RequestParts } from './route-request.ts'
import { makeSearchRoutes } from './search-routes.ts'
import { makeServeDeferred } from './serve-deferred.ts'

export interface FrontOptions extends RequestParts {
  readonly build: Build
  /** Aborts streams that would delay a stopping server. */
  readonly signal: AbortSignal
  /** Files of earlier builds that pages still open in browsers request. */
  readonly earlier?: ReadonlyMap<string, StaticFile>
  /** The cache of files, shared by all builds. */
  readonly kept?: ReadKept
  /** The pictures that the build left for the site to draw; absent where it left none. */
  readonly pictures?: DeferredPictureStore
  /** Mentions of posts by other sites; absent where there are none. */
  readonly mentions?: ShownMentions
}

export interface Front {
  readonly answer: RequestListener
  /** The immutable files of this build, which its pages request even after a later build is served. */
  readonly lasting: ReadonlyMap<string, StaticFile>
}

/**
 * Handles requests for one build: routes, the precomputed 402s, the files of the build, and Astro for the rest.
 *
 * @example makeFront({ build, handler, services, quotes, limiter, routes, clientAddress, log, signal })
 */
export function makeFront({ build, signal, earlier, kept, mentions, pictures, ...parts }: FrontOptions): Front {
  const { services, routes } = parts
  const { baseUrl } = build.facts
  const security = makeSecurityHeaders(baseUrl, [], newsletterOrigins())
  const sendProblem = makeSendProblem({ baseUrl, security })
  const { client, narrated } = buildFiles(build.folder)
  const { episodes } = services
  const replace = makeNarratedPages({ folder: narrated, episodes, mentions, baseUrl, security })
  const { manifest } = build
  const files = makeStaticFiles({ client, manifest, security, sendProblem, replace, kept, ...(earlier && { earlier }) })
  const audio = makeAudioRoutes({ services, security, sendProblem, signal })
  const searches = makeSearchRoutes({ services, security })
  const serveDeferred = pictures && makeServeDeferred({ pictures, security, sendProblem })
  const own = { baseUrl, security, sendProblem, files, serveDeferred }
  return {
    answer: makeRequestListener({ ...parts, ...own, routes: [...routes, ...audio, ...searches] }),
    lasting: files.lasting,
  }
}
