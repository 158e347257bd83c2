import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AstroPrerenderer } from 'astro'
import { StaticPaths } from 'astro/runtime/prerender/static-paths.js'
import { z } from 'zod'
import { type Build, buildFiles } from '../../storage/build-folder.ts'
import { type AstroPicture, answerFrom, astroPicture } from '../images/astro-pictures.ts'
import { assetFolder, placeFile } from '../images/page-image.ts'
import { takeOver } from '../take-over.ts'

const factsFile = 'bundle.json'

const factsSchema = z.object({
  /** The repository: the bundle refers to modules outside it by absolute paths, so it works only in this place. */
  root: z.string(),
  /** What Astro needs for each page beside its module: its stylesheets, in Astro's order and form. */
  pages: z.array(z.tuple([z.string(), z.looseObject({ styles: z.array(z.unknown()) })])),
  /** The names of the files that were bundled for browsers. */
  assets: z.array(z.string()),
  /** The pictures that Astro generated, in this build or in the earlier builds that it takes from. */
  pictures: z.array(astroPicture),
})

/** A page of a build, as Astro passes it to integrations. */
interface PageData {
  readonly styles: readonly unknown[]
}

interface Bundled {
  readonly root: string
  readonly outDir: string
  readonly earlier: string | undefined
  /** The pages by Astro's keys. */
  readonly pages: ReadonlyMap<string, PageData>
}

/** Where Astro keeps the bundle while it writes pages. */
const toWritten = (outDir: string): string => join(buildFiles(outDir).entry, '../.prerender')

/** The files for browsers that the pages of a build refer to by name. */
interface ForBrowsers {
  readonly assets: readonly string[]
  readonly pictures: readonly AstroPicture[]
}

/**
 * Keeps the bundle that Astro made for an unfinished build, so that the next build of the same code needs no bundling.
 * Call it once every page is written, and before Astro removes the bundle.
 *
 * @param earlier the build that this one takes pages from
 */
export async function keepBundle(
  { root, outDir, pages, earlier }: Bundled,
  { assets, pictures }: ForBrowsers,
): Promise<void> {
  const { bundle } = buildFiles(outDir)
  const written = toWritten(outDir)
  const modules = readdirSync(written, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mjs'))
  for (const name of modules) {
    await mkdir(join(bundle, name, '..'), { recursive: true })
    placeFile(join(written, name), join(bundle, name))
  }
  const before = earlier !== undefined && hasBundle(earlier, root) ? readFacts(buildFiles(earlier).bundle).pictures : []
  const facts = {
    root: realpathSync(root),
    assets,
    // Pages that were taken from the earlier build requested nothing, so its pictures are listed, too.
    pictures: [...new Map([...before, ...pictures].map((picture) => [picture.asked, picture])).values()],
    pages: [...pages].map(([key, { styles }]) => [key, { styles: [...styles] }]),
  }
  await writeFile(join(bundle, factsFile), JSON.stringify(facts))
}

/** The path, relative to the bundle, of the file with Astro's content store; undefined unless there is exactly one. */
export function findCollectionsFile(bundle: string): string | undefined {
  const [name, ...others] = readdirSync(join(bundle, 'chunks')).filter((file) =>
    file.startsWith('_astro_data-layer-content'),
  )
  return name === undefined || others.length > 0 ? undefined : join('chunks', name)
}

/** Whether a build has an undamaged bundle that was made in this repository, at its current path. */
export function hasBundle(folder: string, root: string): boolean {
  const { bundle, entry } = buildFiles(folder)
  if (!existsSync(join(bundle, factsFile)) || !existsSync(entry)) return false
  try {
    return readFacts(bundle).root === realpathSync(root)
  } catch {
    return false
  }
}

/**
 * Puts the bundle of an earlier build into a new one, with the files that browsers load and those of `public/`. None
 * of the bundled files may be written to, because they may be hard links into the earlier build.
 *
 * @param root the repository
 * @returns the names of all files that were bundled for browsers
 */
export async function takeBundle(
  earlier: Pick<Build, 'folder' | 'manifest'>,
  { root, outDir }: { root: string; outDir: string },
): Promise<readonly string[]> {
  const [from, to] = [buildFiles(earlier.folder), buildFiles(outDir)]
  await takeOver(from.bundle, to.bundle)
  await mkdir(join(to.client, assetFolder), { recursive: true })
  const publicFiles = join(root, 'public')
  if (existsSync(publicFiles)) await copyFiles(publicFiles, to.client)
  const { assets } = readFacts(to.bundle)
  // Astro removed the originals of pictures that no page shows unchanged, so only the files that exist are taken.
  const listed = new Set(Object.values(earlier.manifest).map(({ file }) => file))
  const served = assets.filter((name) => listed.has(`${assetFolder}/${name}`))
  for (const name of served) placeFile(join(from.client, assetFolder, name), join(to.client, assetFolder, name))
  return assets
}

/** Copies a folder as Astro does: symbolic links are followed, and every folder is created. */
async function copyFiles(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const name of await readdir(from)) {
    const [file, place] = [join(from, name), join(to, name)]
    if ((await stat(file)).isDirectory()) await copyFiles(file, place)
    else await copyFile(file, place)
  }
}

const readFacts = (bundle: string): z.output<typeof factsSchema> =>
  factsSchema.parse(JSON.parse(readFileSync(join(bundle, factsFile), 'utf8')))

/** The part of Astro's program in a bundle that is used here. */
interface Bundle {
  readonly app: ConstructorParameters<typeof StaticPaths>[0] & {
    readonly setInternals: (internals: object) => void
    readonly setOptions: (options: object) => void
    readonly render: (request: Request, options: object) => Promise<Response>
  }
}

/**
 * A prerenderer that renders the pages of a kept bundle, as Astro's own does.
 *
 * @param earlier the build that has the files of the pictures
 */
export async function openBundle({ outDir, earlier }: { outDir: string; earlier: string }): Promise<AstroPrerenderer> {
  const { bundle } = buildFiles(outDir)
  const { pages, pictures } = readFacts(bundle)
  globalThis.astroAsset = answerFrom(earlier, pictures)
  const [entry = ''] = readdirSync(bundle).filter((name) => name.startsWith('prerender-entry'))
  const { app } = (await import(pathToFileURL(join(bundle, entry)).href)) as Bundle
  app.setInternals({ pagesByKeys: new Map(pages) })
  app.setOptions({ settings: { scripts: [] }, logger: { options: { destination: { write: () => true } } } })
  return {
    name: 'kept-bundle',
    getStaticPaths: () => new StaticPaths(app).getAll(),
    render: (request, { routeData }) => app.render(request, { routeData }),
  }
}
