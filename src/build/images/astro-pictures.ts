import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageTransform } from 'astro'
import { z } from 'zod'
import { buildFiles } from '../../storage/build-folder.ts'
import { assetFolder, placeFile } from './page-image.ts'

/** A picture that Astro generates. */
export const astroPicture = z.object({
  /** The address of the original, whether or not the original itself is served. */
  original: z.string(),
  /** The request of a page as a key: equal in all builds that make the same picture from an equal file. */
  asked: z.string(),
  address: z.string(),
})

export type AstroPicture = z.output<typeof astroPicture>

const originalOf = ({ src }: ImageTransform): string => (typeof src === 'string' ? src : src.src)

/** The key of a request. The name of the original contains the digest of its file, so changed files get other keys. */
const toAsked = (asked: ImageTransform, properties: readonly string[]): string =>
  JSON.stringify([originalOf(asked), ...properties.map((name) => (name === 'src' ? null : (asked[name] ?? null)))])

const start = `/${assetFolder}/`

/** The name of the asset at an address, as a list; empty when the address is outside the asset folder. */
const toName = (address: string): string[] => (address.startsWith(start) ? [address.slice(start.length)] : [])

const behindStart = new RegExp(`${start}(?=([^"]*))`, 'g')

/** What a page shows of the asset folder, as it is spelled there. In an attribute it may be several addresses. */
export const findShown = (text: string): string[] =>
  // Copied, because a part of a string keeps the whole one in memory.
  [...new Set(Array.from(text.matchAll(behindStart), ([, shown = '']) => Buffer.from(shown).toString()))]

/**
 * Makes a function that finds which of these pictures a page shows, by what `findShown` found. In pages, the addresses
 * of pictures that Astro generates are percent-encoded, and those of other pictures are not.
 */
export function toPictureFinder(names: ReadonlySet<string>): (shown: readonly string[]) => string[] {
  const spellings = new Map([...names].flatMap((name) => [name, encodeURI(name)].map((spelling) => [spelling, name])))
  return (shown) => {
    const found = shown.map((text) => {
      // In an attribute with several addresses, such as srcset, an address ends at a space.
      const [first = ''] = text.split(' ', 1)
      return spellings.get(text) ?? spellings.get(first)
    })
    return [...new Set(found)].filter((name) => name !== undefined).sort()
  }
}

/** Where a picture lies in a build. */
const fileIn = (folder: string, name: string): string => join(buildFiles(folder).client, assetFolder, name)

/** Whether all of these pictures are in a build. */
export const hasPictures = (folder: string, names: readonly string[]): boolean =>
  names.every((name) => existsSync(fileIn(folder, name)))

/**
 * Puts pictures of an earlier build into a new one whose pages show them, but in which Astro did not generate them
 * because those pages were not rendered. Call it once Astro has written all its pictures: Astro would write into the
 * linked files.
 */
export async function takePictures(earlier: string, outDir: string, names: ReadonlySet<string>): Promise<void> {
  await mkdir(join(buildFiles(outDir).client, assetFolder), { recursive: true })
  const missing = [...names].filter((name) => !existsSync(fileIn(outDir, name)))
  for (const name of missing) placeFile(fileIn(earlier, name), fileIn(outDir, name))
}

/**
 * Records which pictures pages request from Astro: those that lie beside texts, and portraits of authors. While a page
 * is rendered it requests them in certain sizes, and Astro generates them afterwards. A later build that takes over
 * the page renders nothing, so it needs the record.
 */
export function openAstroPictures() {
  const pictures = new Map<string, AstroPicture>()
  return {
    /** Starts recording. Call it when Astro is ready to render pages. */
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
    /** The pictures that were requested. */
    list: (): readonly AstroPicture[] => [...pictures.values()],
  }
}

/** The names of the generated files among the assets. */
export const namesOf = (pictures: readonly AstroPicture[]): Set<string> =>
  new Set(pictures.flatMap(({ address }) => toName(decodeURI(address))))

/** The names of the originals among the assets: Astro removes an original that no rendered page shows unchanged. */
export const originalsOf = (pictures: readonly AstroPicture[]): Set<string> =>
  new Set(pictures.flatMap(({ original }) => toName(original)))

/** A page requests a picture that no earlier build has made. */
export class PictureUnmade extends Error {
  override readonly name = 'PictureUnmade'
}

/**
 * Answers the picture requests of pages without Astro, from the pictures of an earlier build. A request for any other
 * picture throws PictureUnmade.
 *
 * @param earlier the build that has the files
 */
export function answerFrom(earlier: string, known: readonly AstroPicture[]): typeof globalThis.astroAsset {
  const before = new Map(known.map((picture) => [picture.asked, picture]))
  return {
    addStaticImage(transform, properties) {
      const picture = before.get(toAsked(transform, properties))
      if (picture === undefined || !hasPictures(earlier, [...namesOf([picture])]))
        throw new PictureUnmade(
          `a page asks for a picture of ${originalOf(transform)}, which only a whole build can make`,
        )
      return picture.address
    },
  }
}
