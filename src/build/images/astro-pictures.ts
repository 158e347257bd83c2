import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageTransform } from 'astro'
import { z } from 'zod'
import { buildFiles } from '../../storage/build-folder.ts'
import { assetFolder, placeFile } from './page-image.ts'

/** A picture that Astro makes. */
export const astroPicture = z.object({
  /** The address of the picture that it is made of, whether or not that is served. */
  original: z.string(),
  /** What a page asks for: equal in all builds where the same is made of an equal file. */
  asked: z.string(),
  address: z.string(),
})

export type AstroPicture = z.output<typeof astroPicture>

const originalOf = ({ src }: ImageTransform): string => (typeof src === 'string' ? src : src.src)

/** The name of an original has the digest of its file. */
const toAsked = (asked: ImageTransform, properties: readonly string[]): string =>
  JSON.stringify([originalOf(asked), ...properties.map((name) => (name === 'src' ? null : (asked[name] ?? null)))])

/** The name of a file for browsers that has an address; nothing of what lies elsewhere. */
const toName = (address: string): string | undefined =>
  address.startsWith(`/${assetFolder}/`) ? decodeURI(address).slice(assetFolder.length + 2) : undefined

const namesIn = new RegExp(`/${assetFolder}/([\\w.!~'()@%-]+)`, 'g')

/** The names among these that a page shows. */
export const findNames = (html: string, names: ReadonlySet<string>): string[] =>
  [...new Set(Array.from(html.matchAll(namesIn), ([address]) => toName(address) ?? ''))]
    .filter((name) => names.has(name))
    .sort()

/** Where a picture lies in a build. */
const fileIn = (folder: string, name: string): string => join(buildFiles(folder).client, assetFolder, name)

/** Whether all of these pictures are in a build. */
export const hasPictures = (folder: string, names: readonly string[]): boolean =>
  names.every((name) => existsSync(fileIn(folder, name)))

/**
 * Puts pictures of an earlier build into one whose pages show them and in which Astro did not make them, because nothing
 * asked for them while it was made. To be called once Astro writes no pictures any more: it would write into those files.
 */
export async function takePictures(earlier: string, outDir: string, names: Iterable<string>): Promise<void> {
  await mkdir(join(buildFiles(outDir).client, assetFolder), { recursive: true })
  const missing = [...names].filter((name) => !existsSync(fileIn(outDir, name)))
  await Promise.all(missing.map((name) => placeFile(fileIn(earlier, name), fileIn(outDir, name))))
}

/**
 * Pictures that lie beside texts, and portraits of authors: pages ask Astro for them in certain sizes while they are
 * rendered, and it makes them afterwards. Notes what is asked for, for builds that take over pages and so do not ask.
 */
export function openAstroPictures() {
  const pictures = new Map<string, AstroPicture>()
  return {
    /** From now on. To be called when Astro is ready to render pages. */
    listen(): void {
      const { addStaticImage } = globalThis.astroAsset
      if (addStaticImage === undefined) return
      globalThis.astroAsset.addStaticImage = (transform, properties, file) => {
        const address = addStaticImage(transform, properties, file)
        const asked = toAsked(transform, properties)
        pictures.set(asked, { original: originalOf(transform), asked, address })
        return address
      }
    },
    /** What was asked for. */
    list: (): readonly AstroPicture[] => [...pictures.values()],
  }
}

/** The files for browsers that pictures are. */
export const namesOf = (pictures: readonly AstroPicture[]): Set<string> =>
  new Set(pictures.flatMap(({ address }) => toName(address) ?? []))

/** The files that pictures are made of: Astro removes those that no page which it renders shows as they are. */
export const originalsOf = (pictures: readonly AstroPicture[]): Set<string> =>
  new Set(pictures.flatMap(({ original }) => toName(original) ?? []))

/**
 * Answers pages without Astro, from what was made for an earlier build.
 *
 * @param earlier the build that has the files
 */
export function answerFrom(earlier: string, known: readonly AstroPicture[]): typeof globalThis.astroAsset {
  const addresses = new Map(known.map(({ asked, address }) => [asked, address]))
  return {
    addStaticImage(transform, properties) {
      const address = addresses.get(toAsked(transform, properties))
      const name = address === undefined ? undefined : toName(address)
      if (address === undefined || name === undefined || !hasPictures(earlier, [name]))
        throw new Error(`a page asks for a picture of ${originalOf(transform)}, which only a whole build can make`)
      return address
    },
  }
}
