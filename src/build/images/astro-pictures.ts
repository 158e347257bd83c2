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

const start = `/${assetFolder}/`

/** The name of a file for browsers that has an address; none of what lies elsewhere. */
const toName = (address: string): string[] => (address.startsWith(start) ? [address.slice(start.length)] : [])

/**
 * What finds the names among these that a page shows. Pages write the addresses of pictures that Astro makes with codes
 * for spaces and the like, and those of others as they are.
 */
export function toPictureFinder(names: ReadonlySet<string>): (html: string) => string[] {
  const spellings = new Map([...names].flatMap((name) => [name, encodeURI(name)].map((spelling) => [spelling, name])))
  const behind = new RegExp(`${start}(?=([^"]*))`, 'g')
  return (html) => {
    const found = Array.from(html.matchAll(behind), ([, text = '']) => {
      // One of several addresses in an attribute ends at a space.
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
 * Puts pictures of an earlier build into one whose pages show them and in which Astro did not make them, because nothing
 * asked for them while it was made. To be called once Astro writes no pictures any more: it would write into those files.
 */
export async function takePictures(earlier: string, outDir: string, names: ReadonlySet<string>): Promise<void> {
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
  new Set(pictures.flatMap(({ address }) => toName(decodeURI(address))))

/** The files that pictures are made of: Astro removes those that no page which it renders shows as they are. */
export const originalsOf = (pictures: readonly AstroPicture[]): Set<string> =>
  new Set(pictures.flatMap(({ original }) => toName(original)))

/** A page asks for a picture that nobody has made yet. */
export class PictureUnmade extends Error {
  override readonly name = 'PictureUnmade'
}

/**
 * Answers pages without Astro, from what was made for an earlier build; with PictureUnmade where that is not enough.
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
