import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type PricedAsset, writeAcceptedAssets } from '../core/assets.ts'
import { network } from '../core/chain-constants.ts'
import { readStaticManifest, type StaticManifest } from '../http/static/static-manifest.ts'

const factsSchema = z.object({
  /** Digest of everything that went into the build; also the name of its folder. */
  key: z.string(),
  /** Digest of the code that answers requests. A program that runs other code cannot serve the build. */
  program: z.string(),
  /**
   * Digest of all inputs but the posts. A later build with the same digest reuses what does not depend on the posts.
   */
  ground: z.string().exactOptional(),
  baseUrl: z.string(),
  payTo: z.string(),
  network: z.string(),
  asset: z.string(),
  /** The other tokens that are accepted beside `asset`, in the format of the setting. */
  alsoAccepts: z.string().default(''),
  mode: z.enum(['sandbox', 'live']),
  /** RFC 3339, UTC. */
  createdAt: z.string(),
  /** RFC 3339, UTC: when the next scheduled post is published; absent when no post is scheduled. */
  nextPostAt: z.string().exactOptional(),
})

/** What a finished build says about itself, in `build.json`; written last, so its presence means finished. */
export type BuildFacts = z.output<typeof factsSchema>

/** The facts for `build.json` of a build for this configuration that is finished now. */
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
  /** Absolute path. The folder also holds `private/`: the paid texts, which are in no client file. */
  readonly folder: string
  readonly facts: BuildFacts
  readonly manifest: StaticManifest
}

/** Paths within a build folder that more than one program uses. */
export const buildFiles = (folder: string) => ({
  facts: join(folder, 'build.json'),
  manifest: join(folder, 'manifest.json'),
  /** The pages that a later build can reuse; see `kept-pages.ts`. */
  pages: join(folder, 'pages.json'),
  /** The processed texts that a later build can reuse; see `kept-texts.ts`. */
  texts: join(folder, 'texts.db'),
  /** The bundles that Astro made of the pages, for a later build; see `kept-bundle.ts`. */
  bundle: join(folder, 'bundle'),
  client: join(folder, 'client'),
  /** Astro's endpoints; CommonJS. */
  entry: join(folder, 'server/entry.cjs'),
  /** The site and the game host, each in `<name>.mjs`, and their workers. */
  programs: join(folder, 'programs'),
  privateTexts: join(folder, 'private'),
  /** The pages at the addresses of products, served with status 402 only: `<slug>/index.html`. */
  pricePages: join(folder, 'prices'),
  /** Unpublished posts, for readers who have the secret link: `<slug>/index.html`. No manifest lists them. */
  previews: join(folder, 'previews'),
  /** Pages as the build wrote them, with placeholders for recordings that are made later. */
  narrated: join(folder, 'narrated'),
  /** Pictures that go into recordings, `<slug>.jpg`; never served. */
  privateCovers: join(folder, 'private/covers'),
  /** The pictures that pages refer to and that the running site draws; absent when the build drew them all. */
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
