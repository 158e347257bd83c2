import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type PricedAsset, writeAcceptedAssets } from '../core/assets.ts'
import { network } from '../core/chain-constants.ts'
import { readStaticManifest, type StaticManifest } from '../http/static/static-manifest.ts'

const factsSchema = z.object({
  /** Of everything that went into the build; the folder's name. */
  key: z.string(),
  /** Of the code that answers requests. A program that was started from other code does not fit the build. */
  program: z.string(),
  /** Of everything but the posts; a later build with the same takes over what does not follow from them. */
  ground: z.string().exactOptional(),
  baseUrl: z.string(),
  payTo: z.string(),
  network: z.string(),
  asset: z.string(),
  /** What is taken beside it, as the settings write it. */
  alsoAccepts: z.string().default(''),
  mode: z.enum(['sandbox', 'live']),
  /** RFC 3339, UTC. */
  createdAt: z.string(),
  /** The same, when the next of the posts comes out that wait for their time. */
  nextPostAt: z.string().exactOptional(),
})

/** What a finished build says about itself, in `build.json`; written last, so its presence means finished. */
export type BuildFacts = z.output<typeof factsSchema>

/** What is to be said about a build for this configuration that is finished now. */
export const toBuildFacts = (
  made: Pick<BuildFacts, 'key' | 'program' | 'ground' | 'nextPostAt'>,
  {
    baseUrl,
    payTo,
    asset,
    alsoAccepts,
    mode,
  }: Pick<BuildFacts, 'baseUrl' | 'payTo' | 'asset' | 'mode'> & {
    alsoAccepts: readonly PricedAsset[]
  },
): BuildFacts => ({
  ...made,
  baseUrl,
  payTo,
  network,
  asset,
  alsoAccepts: writeAcceptedAssets(alsoAccepts),
  mode,
  createdAt: new Date().toISOString(),
})

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
  /** What a later build can take of the pages; see `kept-pages.ts`. */
  pages: join(folder, 'pages.json'),
  /** What a later build can take of what was made of texts; see `kept-texts.ts`. */
  texts: join(folder, 'texts.db'),
  /** What Astro bundled the pages into, for a later build; see `kept-bundle.ts`. */
  bundle: join(folder, 'bundle'),
  client: join(folder, 'client'),
  /** Astro's endpoints; CommonJS. */
  entry: join(folder, 'server/entry.cjs'),
  /** The site and the game host, each in `<name>.mjs`, and their workers. */
  programs: join(folder, 'programs'),
  privateTexts: join(folder, 'private'),
  /** What a browser gets at the address of a product: `<slug>/index.html`, answered with 402 alone. */
  pricePages: join(folder, 'prices'),
  /** Posts that are not published, for who has the link: `<slug>/index.html`, in no list of files. */
  previews: join(folder, 'previews'),
  /** Pages as they were written, with the placeholders for what is narrated later. */
  narrated: join(folder, 'narrated'),
  /** Pictures that go into recordings, `<slug>.jpg`; never served. */
  privateCovers: join(folder, 'private/covers'),
  /** The pictures that pages name and that the site draws; absent when the build drew them all. */
  deferredPictures: join(folder, 'pictures.json'),
  /** Read by `/api/search.json`; never in the client files. */
  search: join(folder, 'search.db'),
})

/** What the game host serves of a build. */
export const gameFiles = (folder: string) => ({
  folder: join(folder, 'game'),
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
