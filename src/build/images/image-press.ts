import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import packageJson from '../../../package.json' with { type: 'json' }
import type { CoverRequest } from '../../media/covers/cover.ts'
import type { CardTask, Edition, EditionSource, Editions } from '../../media/covers/editions.ts'
import { type CoverStudio, openCoverStudio } from '../../media/covers/make-cover.ts'
import { sha256 } from '../../sha256.ts'
import { type KeptImages, type MadeFile, openImageCache } from './image-cache.ts'

/** An edition and the beginning of its file's name. */
export interface NamedEdition extends Edition {
  readonly purpose: string
}

/** The code, the fonts and the encoders that decide the bytes. */
function hashEngine(): string {
  const names = ['../../media/covers/', '../../media/image-review/', './icons.ts'].flatMap((part) => {
    const path = fileURLToPath(new URL(part, import.meta.url))
    if (!part.endsWith('/')) return [path]
    const items = readdirSync(path, { recursive: true, withFileTypes: true })
    return items.filter((item) => item.isFile()).map((item) => join(item.parentPath, item.name))
  })
  const encoders = JSON.stringify([sharp.versions, packageJson.dependencies.satori])
  return sha256(encoders, ...names.sort().map((name) => readFileSync(name)))
}

/** Pictures by what they follow from. */
export interface ImagePress {
  /** Files that an earlier build made from the same inputs, or new ones. */
  readonly getImages: (
    inputs: unknown,
    make: () => Promise<{ alt: string; files: readonly MadeFile[] }>,
  ) => Promise<KeptImages>
  /** The editions of one picture. */
  readonly getEditions: (source: EditionSource, editions: readonly NamedEdition[]) => Promise<KeptImages>
  /** The editions of what a buyer would get for the same request. */
  readonly getSold: (request: CoverRequest, editions: readonly NamedEdition[]) => Promise<KeptImages>
  /** A picture that is all title. */
  readonly getCard: (task: CardTask & { edition: NamedEdition }) => Promise<KeptImages>
  /** The file behind an image's name, for the development server, which has no client folder. */
  readonly findFile: (name: string) => Promise<string | undefined>
  /** Ends the worker threads and forgets old pictures. */
  readonly close: () => Promise<void>
}

/** Opens the press with a folder for finished pictures. */
export function openImagePress(folder: string): ImagePress {
  const cache = openImageCache(folder)
  const engine = hashEngine()
  /** What was asked for, by its inputs; one promise for every page that asks. */
  const asked = new Map<string, Promise<KeptImages>>()
  let studio: CoverStudio | undefined
  const getStudio = () => (studio ??= openCoverStudio())

  const getImages: ImagePress['getImages'] = (inputs, make) => {
    const key = JSON.stringify([engine, inputs])
    const known = asked.get(key) ?? cache.findOrMake(key, make)
    asked.set(key, known)
    return known
  }

  return {
    getImages,
    getEditions(source, editions) {
      const seen = source.is === 'own' ? { ...source, picture: sha256(source.picture) } : source
      return getImages([seen, editions], async () =>
        toNamed(await getStudio().makeEditions({ source, editions }), editions),
      )
    },
    getSold: (request, editions) =>
      getImages([request, editions], async () => {
        const { jpeg, alt } = await getStudio().makeCover(request)
        const source = { is: 'own', picture: jpeg, alt } as const
        return toNamed(await getStudio().makeEditions({ source, editions }), editions)
      }),
    getCard: (task) => getImages(task, async () => toNamed(await getStudio().makeCard(task), [task.edition])),
    findFile: cache.find,
    async close() {
      await studio?.close()
      studio = undefined
      await cache.prune(new Date())
    },
  }
}

const toNamed = ({ alt, files }: Editions, editions: readonly NamedEdition[]) => ({
  alt,
  files: files.map((file, place): MadeFile => {
    const { purpose = '', type = 'jpg' } = editions[place] ?? {}
    return { ...file, purpose, type }
  }),
})
