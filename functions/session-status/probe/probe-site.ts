import { type Fetched, FetchFailed, type FetchFailure, type GuardedFetch } from '../../../src/fetching/fetched.ts'
import { type SurfacePath, surfacePaths } from './surface-paths.ts'

/** The outcome of the request for one path: the response, or why there was none. */
export type Probe = { readonly path: SurfacePath; readonly url: string } & (
  | { readonly is: 'answered'; readonly fetched: Fetched }
  | { readonly is: 'silent'; readonly reason: FetchFailure; readonly durationMs: number }
)

const deadlineMs = 10_000
const maxBytes = 600_000

const wanted = (path: SurfacePath): string => {
  if (path === '/' || path === '/_cms/admin/') return 'text/html, */*;q=0.5'
  if (path.endsWith('.xml')) return 'application/xml, application/rss+xml, */*;q=0.5'
  if (path.endsWith('.txt')) return 'text/plain, text/markdown;q=0.9, */*;q=0.5'
  // `text/event-stream` is not preferred, so that the MCP endpoint does not open an endless stream.
  return 'application/json, */*;q=0.5'
}

/** Requests all twelve paths of a site in parallel, each with a timeout of ten seconds. */
export const probeSite = (origin: string, fetch: GuardedFetch, signal: AbortSignal): Promise<Probe[]> =>
  Promise.all(
    surfacePaths.map(async (path): Promise<Probe> => {
      const url = `${origin}${path}`
      const from = performance.now()
      try {
        const fetched = await fetch(url, { accept: wanted(path), deadlineMs, maxBytes, signal })
        return { path, url, is: 'answered', fetched }
      } catch (error) {
        if (!(error instanceof FetchFailed)) throw error
        return { path, url, is: 'silent', reason: error.reason, durationMs: performance.now() - from }
      }
    }),
  )
