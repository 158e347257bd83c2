import { join } from 'node:path'
import { claimDrawing } from './claim-drawing.ts'
import { drawnSize } from './covers/drawn-size.ts'
import type { CoverStudio } from './covers/make-cover.ts'
import type { DeferredPictures } from './deferred-pictures.ts'
import { type DrawnTask, toDrawnKey, toDrawnName, toMark, toNamed } from './drawn-task.ts'
import { type KeptFile, openImageCache } from './image-cache.ts'

/** A file that pages refer to and that may not be drawn yet. */
export interface DeferredPicture {
  readonly name: string
  readonly type: 'avif' | 'jpg'
  readonly width: number
  readonly height: number
  readonly drawing: Drawing
  /** Index of its edition in the drawing. */
  readonly place: number
}

/** One task with its cache key. */
export interface Drawing {
  readonly key: string
  readonly task: DrawnTask
}

interface Options {
  /** Folder of the drawings; it need not exist. */
  readonly folder: string
  readonly studio: Pick<CoverStudio, 'makeEditions'>
  readonly report: (error: unknown) => void
  readonly now: () => number
  /** Ends the waiting for a drawing of another process. */
  readonly signal?: AbortSignal
}

/** Builds whose pictures are served: pages that are open in browsers refer to pictures of earlier builds. */
const keptBuilds = 3
/** Pause after a failed drawing, so that not every request tries again. */
const restMs = 60_000

/**
 * Draws the pictures that builds left to the site. A picture is drawn once, however many requests and processes on the
 * same folder want it, and only if a build refers to it.
 */
export function openDeferredPictures({ folder, studio, report, now, signal: stopping }: Options) {
  const cache = openImageCache(folder)
  let builds: readonly ReadonlyMap<string, Drawing>[] = []
  const underWay = new Map<string, Promise<readonly KeptFile[] | undefined>>()
  const failed = new Map<string, number>()

  /** Makes the files of a drawing. Failures are reported; the promise never rejects. */
  async function make({ key, task }: Drawing): Promise<readonly KeptFile[] | undefined> {
    try {
      const draw = async () => toNamed(await studio.makeEditions(task), task.editions)
      const find = () => cache.findOrMake(key, draw)
      const claimed = () => claimDrawing(join(folder, `${key}.claim`), () => cache.has(key), find, stopping)
      const made = cache.has(key) ? await find() : ((await claimed()) ?? (await find()))
      failed.delete(key)
      return made.files
    } catch (error) {
      failed.set(key, now())
      report(error)
      return undefined
    } finally {
      underWay.delete(key)
    }
  }

  /** The files of a drawing, in the order of its editions; undefined when they cannot be made at present. */
  function draw(drawing: Drawing): Promise<readonly KeptFile[] | undefined> {
    const { key } = drawing
    if (now() - (failed.get(key) ?? Number.NEGATIVE_INFINITY) < restMs) return Promise.resolve(undefined)
    const made = underWay.get(key) ?? make(drawing)
    underWay.set(key, made)
    return made
  }

  return {
    draw,
    /** Adds the pictures of a new build to those that may be drawn. */
    expect(deferred: DeferredPictures): void {
      builds = [toDrawings(deferred), ...builds].slice(0, keptBuilds)
    },
    find(name: string): DeferredPicture | undefined {
      const mark = /-([0-9a-f]{10})\.\w+$/.exec(name)?.[1] ?? ''
      const drawing = builds.find((build) => build.has(mark))?.get(mark)
      return drawing && findPlace(drawing, name)
    },
    /**
     * Draws the remaining pictures of the newest build one by one; requests for others are served meanwhile.
     *
     * @returns how many were drawn
     */
    async drawAll(signal: AbortSignal): Promise<number> {
      let drawn = 0
      for (const drawing of builds[0]?.values() ?? []) {
        if (signal.aborted) break
        if (cache.has(drawing.key)) continue
        if (await draw(drawing)) drawn += 1
      }
      return drawn
    },
    /** Removes drawings that were not used for 60 days. */
    prune: (): Promise<void> => cache.prune(new Date(now())),
  }
}

export type DeferredPictureStore = ReturnType<typeof openDeferredPictures>

/** The drawings of a build by the mark in their file names. */
const toDrawings = ({ engine, tasks }: DeferredPictures): ReadonlyMap<string, Drawing> =>
  new Map(
    tasks.map((task) => {
      const key = toDrawnKey(engine, task)
      return [toMark(key), { key, task }] as const
    }),
  )

function findPlace(drawing: Drawing, name: string): DeferredPicture | undefined {
  const { key, task } = drawing
  const place = task.editions.findIndex((edition) => toDrawnName(key, edition) === name)
  const edition = task.editions[place]
  if (!edition) return undefined
  const { type, width, height = Math.round((width * drawnSize.height) / drawnSize.width) } = edition
  return { name, type, width, height, drawing, place }
}
