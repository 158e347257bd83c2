import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { z } from 'zod'
import { type Build, buildFiles } from '../storage/build-folder.ts'
import type { Services } from './services.ts'

/** Astro's endpoints as a Node request handler. Calls `next` when no route matches. */
export type AstroHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  next: (error?: unknown) => void,
  locals: { readonly services: Services },
) => Promise<void>

const entrySchema = z.object({
  handler: z.custom<AstroHandler>((value) => typeof value === 'function', 'the server entry exports no handler'),
})

/** Loads Astro's endpoints of a build into this process; `unload` removes them. */
export function loadHandler({ folder }: Pick<Build, 'folder'>) {
  const { entry: file } = buildFiles(folder)
  // One shared `require` would keep the modules of every build in its cache.
  const require = createRequire(file)
  const name = require.resolve(file)
  const before = new Set(process.listeners('unhandledRejection'))
  const entry: unknown = require(name)
  // Each Astro entry adds a listener that swallows unhandled rejections, and would leave it behind.
  for (const listener of process.listeners('unhandledRejection'))
    if (!before.has(listener)) process.off('unhandledRejection', listener)
  return {
    handler: entrySchema.parse(entry).handler,
    /** Removes the code from the module cache when its build is no longer served. */
    unload(): void {
      delete require.cache[name]
    },
  }
}
