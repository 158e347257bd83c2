import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { AstroIntegration } from 'astro'
import { createIndex } from 'pagefind'
import { z } from 'zod'
import type { Config } from '../config/config.ts'
import { alternatePath } from '../core/alternate.ts'
import { type Log, toLogText } from '../core/log.ts'
import { negotiatePage } from '../http/negotiate.ts'
import { contentTypeOf } from '../http/static/content-type.ts'
import type { AstroHandler } from '../site/astro-handler.ts'
import type { openSite, Site } from '../site/open-site.ts'
import { makeContentReads } from './content-reads.ts'
import { type LoadModule, writeDevBuild } from './dev-build.ts'
import { emitMissedChanges } from './missed-changes.ts'

interface Options {
  readonly config: Config
  /** The absolute path of the folder for the dev build, which is written again after every change. */
  readonly folder: string
  readonly log: Log
}

/** What Astro is to be given of a request that the site passes on to it. */
interface Passed {
  readonly next: () => void
  /** Ends the response without what the site adds to it. */
  readonly end: ServerResponse['end']
}

const siteModule = z.object({
  openSite: z.custom<typeof openSite>((value) => typeof value === 'function'),
})
const environmentSchema = z.custom<{ runner: { import: LoadModule } }>(
  (value) => typeof value === 'object' && value !== null && 'runner' in value,
)

/**
 * Files that the site depends on; pages and styles are handled by Astro alone. `.astro` contains the content that Astro
 * has read.
 */
const inputs = /\/(?:content|functions|src)\/.*\.(?:ts|json|mdx?)$|\/site\.config\.ts$|\/\.astro\/data-store\.json$/
/**
 * The pause after a change before the site is opened again: Astro causes two changes per text, the file and its data
 * store.
 */
const restMs = 200

/** Whether Vite handles the URL: modules, styles, pictures and its own client. */
const isForVite = (url: string): boolean => /^\/(?:@|_|src\/|node_modules\/)/.test(url)

/**
 * The site of `npm start` with pages that are rendered on request: the front and everything behind it, loaded through
 * Vite, and opened again on the same data whenever content or code has changed. While a fault prevents that, the
 * previous site keeps serving.
 */
export function makeDevSite({ config, folder, log }: Options) {
  const passed = new WeakMap<IncomingMessage, Passed>()
  const isReady = Promise.withResolvers<void>()
  let site: Site | undefined
  let search: ReturnType<typeof makeDevSearch> | undefined
  let reads: ReturnType<typeof makeContentReads> | undefined
  let isBegun = false
  /** The number of the folder whose build is being served; the next build is written into the other one. */
  let served = 0
  let turn = Promise.resolve()

  /**
   * Passes requests from the front to Astro: pages as markdown where preferred, and Astro's own error page for people.
   */
  const handler: AstroHandler = async (req, res, _next, locals) => {
    const [path = '/', query] = (req.url ?? '/').split('?')
    const isPage = req.method === 'GET' && !/\.[^/]*$/.test(path) && !path.startsWith('/api/')
    if (isPage && negotiatePage(req.headers.accept) !== 'text/html')
      req.url = alternatePath(path) + (query === undefined ? '' : `?${query}`)
    const { next, end } = passed.get(req) ?? {}
    if (req.headers.accept?.includes('text/html')) {
      for (const guarded of ['writeHead', 'write']) Reflect.deleteProperty(res, guarded)
      Reflect.set(res, 'end', end)
    }
    Reflect.set(req, Symbol.for('astro.locals'), locals)
    next?.()
  }

  async function open(load: LoadModule): Promise<void> {
    isBegun = true
    const next = 1 - served
    const build = join(folder, String(next))
    const endReading = reads?.begin()
    await writeDevBuild(build, config, load).finally(endReading)
    const before = site
    site = await siteModule.parse(await load('/src/site/open-site.ts')).openSite(config, build, log, undefined, handler)
    served = next
    search = undefined
    await before?.close()
  }

  function refresh(load: LoadModule): Promise<void> {
    turn = turn.then(() => open(load)).catch((error: unknown) => log('server.error', { error: toLogText(error) }))
    return turn
  }

  async function sendSearch(req: IncomingMessage, res: ServerResponse, next: Passed['next']): Promise<void> {
    search ??= makeDevSearch(`http://${req.headers.host}`)
    const path = new URL(req.url ?? '', config.baseUrl).pathname
    const content = (await search).get(path)
    if (!content) return next()
    res.writeHead(200, { 'content-type': contentTypeOf(path), 'cache-control': 'no-cache' }).end(content)
  }

  /**
   * Has the response's `end` say that content is no longer read for it: Astro ends each response, also one whose client
   * is gone. To be called before the site adds to the response, because that takes its additions back.
   */
  function endAfterReading(res: ServerResponse): ServerResponse['end'] {
    const [{ end }, endReading] = [res, reads?.begin()]
    Reflect.set(res, 'end', (...given: unknown[]) => {
      endReading?.()
      return Reflect.apply(end, res, given)
    })
    return res.end
  }

  async function answer(req: IncomingMessage, res: ServerResponse, next: Passed['next']): Promise<void> {
    await isReady.promise
    if (!site) return next()
    if (req.url?.startsWith('/pagefind/')) return sendSearch(req, res, next)
    passed.set(req, { next, end: endAfterReading(res) })
    site.server.emit('request', req, res)
  }

  const integration: AstroIntegration = {
    name: 'dev-site',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => {
        const allowedHosts = [new URL(config.baseUrl).hostname]
        updateConfig({
          server: { allowedHosts },
          vite: { cacheDir: join(folder, 'vite'), server: { strictPort: true } },
        })
      },
      'astro:server:setup': ({ server }) => {
        // Removes the handler that Vite has just added, which would end the process before the chain is saved.
        const vites = process.listeners('SIGTERM').at(-1)
        if (vites) process.off('SIGTERM', vites)
        const load: LoadModule = (path) => environmentSchema.parse(server.environments.ssr).runner.import(path)
        let rest: NodeJS.Timeout | undefined
        const refreshSoon = () => {
          clearTimeout(rest)
          rest = setTimeout(() => void refresh(load), restMs)
        }
        const store = join(server.config.root, '.astro/data-store.json')
        const places = ['content', 'functions', 'src', 'site.config.ts'].map((name) => join(server.config.root, name))
        reads = makeContentReads({ environments: server.environments, store, onStale: refreshSoon })
        const { look } = emitMissedChanges({
          watcher: server.watcher,
          places: [store, ...places],
          onError: (error) => log('server.error', { error: toLogText(error) }),
        })
        server.watcher.on('all', (_event, file) => {
          if (isBegun && inputs.test(file)) refreshSoon()
        })
        server.middlewares.use((req, res, next) => {
          if (isForVite(req.url ?? '')) next()
          else answer(req, res, next).catch(next)
        })
        server.httpServer?.once('listening', () => {
          void refresh(load).then(isReady.resolve)
          look()
        })
      },
    },
  }
  return {
    /** The Astro integration that puts the site in front of the development server. */
    integration,
    /** Resolves when the site can serve for the first time. */
    ready: isReady.promise,
    async close(): Promise<void> {
      await turn
      await site?.close()
    },
  }
}

const location = /<loc>([^<]+)<\/loc>/g

/** The paths of the pages in a sitemap and its parts. */
async function readSitemap(path: string, getText: (path: string) => Promise<string>): Promise<string[]> {
  const xml = await getText(path)
  const named = Array.from(xml.matchAll(location), ([, address = '']) => new URL(address).pathname)
  if (!xml.includes('<sitemapindex')) return named
  return (await Promise.all(named.map((part) => readSitemap(part, getText)))).flat()
}

/**
 * The files of Pagefind by path, made from the pages in the sitemap of a running site.
 *
 * @throws Error when a page cannot be read
 */
async function makeDevSearch(origin: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const getText = async (path: string): Promise<string> => (await fetch(origin + path)).text()
  const { index, errors } = await createIndex()
  if (!index) throw new Error(`Pagefind: ${errors.join(', ')}`)
  for (const url of await readSitemap('/sitemap.xml', getText)) {
    await index.addHTMLFile({ url, content: await getText(url) })
  }
  const { files } = await index.getFiles()
  await index.deleteIndex()
  return new Map(files.map(({ path, content }) => [`/pagefind/${path}`, content]))
}
