import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import site from '../../../site.config.ts'
import { byId } from '../../content/by-id.ts'
import { findBeside } from '../../content/file-beside.ts'
import type { PostImages } from '../../content/post-images.ts'
import { atMost } from '../../core/at-most.ts'
import { type CoverStyle, coverStyles } from '../../core/cover-styles.ts'
import { type CoverTasks, coverTasksFile } from '../../images/cover-tasks.ts'
import { describeDrawing } from '../../images/covers/describe-drawing.ts'
import { engineVersion } from '../../images/covers/drawing-seed.ts'
import { drawnSize } from '../../images/covers/drawn-size.ts'
import type { NamedEdition } from '../../images/covers/editions.ts'
import { type DrawnTask, toDrawnKey, toDrawnName } from '../../images/drawn-task.ts'
import type { KeptFile, KeptImages } from '../../images/image-cache.ts'
import { buildFiles } from '../../storage/build-folder.ts'
import type { MadeImages } from './made-images.ts'
import { assetFolder, placeFile, toPageImage } from './page-image.ts'

/** The part of a post that its pictures are made from. */
export interface PicturedPost {
  readonly id: string
  readonly filePath?: string | undefined
  readonly data: {
    readonly title: string
    readonly excerpt: string
    readonly publishedAt?: Date | undefined
    readonly cover?: { readonly style: CoverStyle } | undefined
    readonly image?: { readonly src: string; readonly alt: string } | undefined
  }
}

/**
 * Editions of a cover in pages; no file is wider than its picture. At lower qualities the larger ones lose their grain.
 */
const editions = [
  { width: 480, quality: 44 },
  { width: 720, quality: 50 },
  { width: 880, quality: 52 },
  { width: 1280, quality: 58 },
] as const
/** Wider editions are added for a publisher's own picture, which may be large. */
const ownEditions = [...editions, { width: 1760, quality: 58 }, { width: 2400, quality: 58 }] as const

const editionsFor = ({ data: { image } }: PicturedPost) => (image ? ownEditions : editions)

/** How many of a publisher's own pictures are processed, and so in memory, at once; a build requests all at once. */
const ownAtOnce = 8

/** How many editions, from the end of the list, are noted for recordings: `square`, and `tag`, the same but smaller. */
const recorded = 2

/**
 * The pictures of the posts of one build. The name and the description of a drawing are known before it is drawn:
 * pages are the same whether this build draws it, an earlier one did, or the running site will.
 *
 * @param perBuild for how many posts, the newest first, the build draws pictures that are not in the cache
 */
export function openPostPictures(images: MadeImages, perBuild: number = site.picturesPerBuild) {
  const asked = new Map<string, { readonly post: PicturedPost; readonly made: Promise<KeptImages> | undefined }>()
  const own = new WeakMap<PicturedPost, Promise<KeptImages>>()
  const inTurn = atMost(ownAtOnce)
  const toDrawn = openDrawnImages(images)

  async function writeFiles(outDir: string, post: PicturedPost, made: Promise<KeptImages>): Promise<void> {
    const { client, privateCovers } = buildFiles(outDir)
    const { files } = await made
    const names = namesOf(images, post, files)
    for (const [place, { path }] of files.entries()) {
      const { purpose, name = '' } = names[place] ?? {}
      const isTag = purpose === `${post.id}-tag`
      placeFile(path, isTag ? join(privateCovers, `${post.id}.jpg`) : join(client, assetFolder, name))
    }
  }

  return {
    /** Resolves at once, unless the post has the publisher's own picture. */
    async get(post: PicturedPost): Promise<PostImages> {
      const made = isDrawn(post) ? undefined : (own.get(post) ?? inTurn(() => makeOwn(images, post)))
      if (made) own.set(post, made)
      asked.set(post.id, { post, made })
      return made ? toOwnImages(post, await made) : toDrawn(post)
    },
    /** The file of a drawing, for the development server: drawn when it is asked for. */
    async findFile(name: string): Promise<string | undefined> {
      for (const { post, made } of asked.values()) {
        if (made || !name.startsWith(`${post.id}-`)) continue
        const place = namesOf(images, post, []).findIndex((each) => each.name === name)
        if (place >= 0) return (await images.getDrawn(toTask(post))).files[place]?.path
      }
      return undefined
    },
    /**
     * Writes the requested pictures among the client files, the pictures for recordings where no URL reaches, and a
     * list of the drawings that are left to the running site.
     */
    async write(outDir: string): Promise<void> {
      const { privateCovers, deferredPictures } = buildFiles(outDir)
      await mkdir(privateCovers, { recursive: true })
      const all = [...asked.values()].toSorted((a, b) => timeOf(b.post) - timeOf(a.post) || byId(a.post, b.post))
      const drawn = all.filter(({ made }) => !made).map(({ post }) => post)
      const deferred = new Set(drawn.slice(perBuild).filter((post) => !images.hasDrawn(toTask(post))))
      await Promise.all(
        all.flatMap(({ post, made = deferred.has(post) ? undefined : images.getDrawn(toTask(post)) }) =>
          made ? [writeFiles(outDir, post, made)] : [],
        ),
      )
      await writeFile(join(privateCovers, coverTasksFile), JSON.stringify(toCoverTasks(drawn)))
      const tasks = [...deferred].map(toTask)
      if (tasks.length > 0) await writeFile(deferredPictures, JSON.stringify({ engine: images.engine, tasks }))
    },
  }
}

const isDrawn = ({ filePath, data }: PicturedPost): boolean => !data.image || filePath === undefined

const timeOf = ({ data }: PicturedPost): number => data.publishedAt?.getTime() ?? 0

function toTask(post: PicturedPost): DrawnTask {
  const { title, excerpt, cover } = post.data
  return { source: { is: 'drawn', title, excerpt, style: cover?.style ?? coverStyles[0] }, editions: editionsOf(post) }
}

/** How to draw the pictures of recordings: a post may be narrated before its picture is drawn. */
const toCoverTasks = (posts: readonly PicturedPost[]): CoverTasks =>
  Object.fromEntries(
    posts.map((post) => {
      const { source, editions } = toTask(post)
      return [post.id, { engineVersion, source, editions: editions.slice(-recorded) }]
    }),
  )

/** The file names in the order of the editions: a drawing's contain a hash of its inputs, others one of their bytes. */
function namesOf(images: MadeImages, post: PicturedPost, files: readonly KeptFile[]) {
  const key = isDrawn(post) ? toDrawnKey(images.engine, toTask(post)) : undefined
  return editionsOf(post).map((edition, place) => ({
    purpose: edition.purpose,
    name: key === undefined ? files[place]?.name : toDrawnName(key, edition),
  }))
}

async function makeOwn(images: MadeImages, { filePath = '', data, ...post }: PicturedPost): Promise<KeptImages> {
  const { src = '', alt = '' } = data.image ?? {}
  const picture = await readFile(findBeside(filePath, src) ?? src)
  return await images
    .getEditions({ is: 'own', picture, alt }, editionsOf({ ...post, data }))
    .catch((cause: unknown) => {
      throw new Error(`${filePath}: image.src cannot be read as a picture`, { cause })
    })
}

function toOwnImages(post: PicturedPost, images: KeptImages): PostImages {
  return toPostImages(post, images.alt, (purpose) => getFile(images, post.id, purpose))
}

/** Caches per post: every list of posts, and the key of every page that names a post, requests its pictures again. */
function openDrawnImages(images: MadeImages) {
  const known = new WeakMap<PicturedPost, PostImages>()
  return (post: PicturedPost): PostImages => {
    const drawn = known.get(post) ?? toDrawnImages(images, post)
    known.set(post, drawn)
    return drawn
  }
}

function toDrawnImages(images: MadeImages, post: PicturedPost): PostImages {
  const { source, editions } = toTask(post)
  const key = toDrawnKey(images.engine, { source, editions })
  const { title, excerpt, style } = source
  return toPostImages(post, describeDrawing(title, excerpt, style), (purpose) => {
    const edition = editions.find((each) => each.purpose === `${post.id}-${purpose}`)
    if (!edition) throw new Error(`no edition of a cover is for ${purpose}`)
    const { width, height = Math.round((width * drawnSize.height) / drawnSize.width) } = edition
    return { name: toDrawnName(key, edition), width, height }
  })
}

type NamedFile = Pick<KeptFile, 'name' | 'width' | 'height'> & Partial<Pick<KeptFile, 'bytes'>>

function toPostImages(post: PicturedPost, alt: string, file: (purpose: string) => NamedFile): PostImages {
  const { title } = post.data
  // A narrow picture has the same width in several editions; the first is the lightest.
  const byWidth = new Map(
    editionsFor(post)
      .map(({ width }) => file(`${width}`))
      .toReversed()
      .map(({ name, width }) => [width, `${encodeURI(`/${assetFolder}/${name}`)} ${width}w`]),
  )
  const srcset = [...byWidth].toReversed().map(([, candidate]) => candidate)
  const lettered = `${title}, over a picture: ${alt}`
  return {
    cover: { ...toPageImage(file('cover'), alt), srcset: srcset.join(', ') },
    card: toPageImage(file('card'), lettered),
    square: toPageImage(file('square'), lettered),
  }
}

function editionsOf(post: PicturedPost): NamedEdition[] {
  const { id, data } = post
  const { title } = data
  const lettering = { title, imprint: site.name, accent: site.accent.light }
  return [
    ...editionsFor(post).map((edition) => ({ purpose: `${id}-${edition.width}`, type: 'avif', ...edition }) as const),
    { purpose: `${id}-cover`, width: 1280, type: 'jpg', quality: 80 },
    { purpose: `${id}-card`, width: 1200, height: 630, type: 'jpg', quality: 82, lettering },
    { purpose: `${id}-square`, width: 1400, height: 1400, type: 'jpg', quality: 80, lettering },
    { purpose: `${id}-tag`, width: 600, height: 600, type: 'jpg', quality: 80, lettering },
  ]
}

function getFile({ files }: KeptImages, id: string, purpose: string): KeptFile {
  const file = files.find(({ name }) => name.startsWith(`${id}-${purpose}-`))
  if (!file) throw new Error(`the picture ${id}-${purpose} is missing; delete the folder .cache/images`)
  return file
}
