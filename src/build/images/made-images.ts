import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import packageJson from '../../../package.json' with { type: 'json' }
import { sha256 } from '../../core/sha256.ts'
import type { CoverRequest } from '../../images/covers/cover.ts'
import type { CardTask, EditionSource, NamedEdition } from '../../images/covers/editions.ts'
import { type CoverStudio, openCoverStudio } from '../../images/covers/make-cover.ts'
import { type DrawnTask, toDrawnKey, toNamed } from '../../images/drawn-task.ts'
import { type KeptImages, type MadeFiles, openImageCache } from '../../images/image-cache.ts'

/** A digest of the code, the fonts and the versions of the encoders, which together decide the bytes of pictures. */
function hashEngine(): string {
  const parts = ['covers/', 'motifs/', 'review/', 'short-title.ts'].map((part) => `../../images/${part}`)
  const names = [...parts, './site-images.ts'].flatMap((part) => {
    const path = fileURLToPath(new URL(part, import.meta.url))
    if (!part.endsWith('/')) return [path]
    const items = readdirSync(path, { recursive: true, withFileTypes: true })
    return items.filter((item) => item.isFile()).map((item) => join(item.parentPath, item.name))
  })
  const encoders = JSON.stringify([sharp.versions, packageJson.dependencies.satori])
  return sha256(encoders, ...names.sort().map((name) => readFileSync(name)))
}

/** Pictures that are made once, cached by the inputs that they are made from; the finished ones are in `folder`. */
export function openMadeImages(folder: string) {
  const cache = openImageCache(folder)
  const engine = hashEngine()
  /** The requested pictures by cache key: all pages that request a picture share one promise. */
  const asked = new Map<string, Promise<KeptImages>>()
  let studio: CoverStudio | undefined
  const getStudio = () => (studio ??= openCoverStudio())

  /** The files that an earlier build made from the same inputs, or new ones. */
  const getImages = (inputs: unknown, make: () => Promise<MadeFiles>): Promise<KeptImages> => {
    const key = JSON.stringify([engine, inputs])
    const known = asked.get(key) ?? cache.findOrMake(key, make)
    asked.set(key, known)
    return known
  }

  return {
    getImages,
    /** The digest of code and encoders, a part of the name of every drawing. */
    engine,
    /** Whether a drawing is in the cache. */
    hasDrawn: (task: DrawnTask): boolean => cache.has(toDrawnKey(engine, task)),
    /** A drawing from the cache, or a new one. */
    async getDrawn(task: DrawnTask): Promise<KeptImages> {
      const key = toDrawnKey(engine, task)
      const known =
        asked.get(key) ??
        cache.findOrMake(key, async () => toNamed(await getStudio().makeEditions(task), task.editions))
      asked.set(key, known)
      return await known
    },
    /** The editions of one picture. */
    getEditions(source: EditionSource, editions: readonly NamedEdition[]): Promise<KeptImages> {
      const seen = source.is === 'own' ? { ...source, picture: sha256(source.picture) } : source
      return getImages([seen, editions], async () =>
        toNamed(await getStudio().makeEditions({ source, editions }), editions),
      )
    },
    /** The editions of the picture that a buyer would get for this request. */
    getSold: (request: CoverRequest, editions: readonly NamedEdition[]): Promise<KeptImages> =>
      getImages([request, editions], async () => {
        const { jpeg, alt } = await getStudio().makeCover(request)
        const source = { is: 'own', picture: jpeg, alt } as const
        return toNamed(await getStudio().makeEditions({ source, editions }), editions)
      }),
    /** A picture that shows only its title. */
    getCard: (task: CardTask & { edition: NamedEdition }): Promise<KeptImages> =>
      getImages(task, async () => toNamed(await getStudio().makeCard(task), [task.edition])),
    /** The file behind an image's name, for the development server, which has no client folder. */
    findFile: cache.find,
    /** Ends the worker threads and forgets old pictures. */
    async close(): Promise<void> {
      await studio?.close()
      studio = undefined
      await cache.prune(new Date())
    },
  }
}

export type MadeImages = ReturnType<typeof openMadeImages>
