import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { Services } from './services.ts'
import { readStaticManifest, type StaticManifest } from './static-manifest.ts'

const factsSchema = z.object({
  /** Of everything that went into the build; the folder's name. */
  key: z.string(),
  baseUrl: z.string(),
  payTo: z.string(),
  network: z.string(),
  asset: z.string(),
  mode: z.enum(['sandbox', 'live']),
  /** RFC 3339, UTC. */
  createdAt: z.string(),
})

/** What a finished build says about itself, in `build.json`; written last, so its presence means finished. */
export type BuildFacts = z.output<typeof factsSchema>

/** Astro's endpoints as a Node request handler. Calls `next` when no route matches. */
export type AstroHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  next: (error?: unknown) => void,
  locals: { readonly services: Services },
) => Promise<void>

/** One finished build, ready to serve. */
export interface Build {
  /** Absolute. Beside what is loaded here it holds `private/`, the paid texts that are in no client file. */
  readonly folder: string
  readonly facts: BuildFacts
  readonly manifest: StaticManifest
}

/** The files of a build folder that more than one program knows. */
export const buildFiles = (folder: string) => ({
  facts: join(folder, 'build.json'),
  manifest: join(folder, 'manifest.json'),
  client: join(folder, 'client'),
  entry: join(folder, 'server/entry.mjs'),
  privateTexts: join(folder, 'private'),
  /** Pages as they were written, with the slots for what is narrated later. */
  narrated: join(folder, 'narrated'),
  /** Pictures that go into recordings, `<slug>.jpg`; never served. */
  privateCovers: join(folder, 'private/covers'),
  /** Read by `/api/search.json`; never in the client files. */
  search: join(folder, 'search.db'),
})

/** What the game host serves of a build. */
export const gameFiles = (folder: string) => ({
  client: join(folder, 'game/client'),
  manifest: join(folder, 'game/manifest.json'),
})

/** Reads `build.json`. */
export const readBuildFacts = (folder: string): BuildFacts =>
  factsSchema.parse(JSON.parse(readFileSync(buildFiles(folder).facts, 'utf8')))

/** Reads a finished build; throws when it is damaged. */
export const loadBuild = (folder: string): Build => ({
  folder,
  facts: readBuildFacts(folder),
  manifest: readStaticManifest(buildFiles(folder).manifest),
})

const entrySchema = z.object({
  handler: z.custom<AstroHandler>((value) => typeof value === 'function', 'the server entry exports no handler'),
})

/** Loads Astro's endpoints of a build into this process. */
export async function loadHandler({ folder }: Pick<Build, 'folder'>): Promise<AstroHandler> {
  const entry: unknown = await import(pathToFileURL(buildFiles(folder).entry).href)
  return entrySchema.parse(entry).handler
}
