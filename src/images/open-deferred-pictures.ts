import { join } from 'node:path'
import { claimDrawing } from './claim-drawing.ts'
import { drawnSize } from './covers/drawn-size.ts'
import type { CoverStudio } from './covers/make-cover.ts'
import type { DeferredPictures } from './deferred-pictures.ts'
import { type DrawnTask, toDrawnKey, toDrawnName, toMark, toNamed } from './drawn-task.ts'
import { type KeptFile, openImageCache } from './image-cache.ts'

/** A file that pages name, before anybody has drawn it. */
export interface DeferredPicture {
  readonly name: string
  readonly type: 'avif' | 'jpg'
  readonly width: number
  readonly height: number
  readonly drawing: Drawing
  /** Among the files of its drawing. */
  readonly place: number
}

/** One task, by the key that its files are kept by. */
export interface Drawing {
  readonly key: string
  readonly task: DrawnTask
}

interface Options {
  /** Where drawings are kept; it need not exist. */
  readonly folder: string
  readonly studio: Pick<CoverStudio, 'makeEditions'>
  readonly report: (error: unknown) => void
  readonly now: () => number
  /** Ends the waiting for what another program draws. */
  readonly signal?: AbortSignal
}

/** Pages that are open in browsers ask for the pictures of a build that was replaced. */
const keptBuilds = 3
/** What cannot be drawn is not tried again for each who asks. */
const restMs = 60_000

/**
 * The pictures that builds left to the site. A picture is drawn once, however many ask for it at once, of however many
 * programs over one folder, and only if a build names it.
 */
export function openDeferredPictures({ folder, studio, report, now, signal: stopping }: Options) {
  const cache = openImageCache(folder)
  let builds: readonly ReadonlyMap<string, Drawing>[] = []
  const underWay = new Map<string, Promise<readonly KeptFile[] | undefined>>()
  const failed = new Map<string, number>()

  /** Never rejects. */
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

  /** The files of a drawing, in the order of its editions; nothing when they cannot be made just now. */
  function draw(drawing: Drawing): Promise<readonly KeptFile[] | undefined> {
    const { key } = drawing
    if (now() - (failed.get(key) ?? Number.NEGATIVE_INFINITY) < restMs) return Promise.resolve(undefined)
    const made = underWay.get(key) ?? make(drawing)
    underWay.set(key, made)
    return made
  }

  return {
    draw,
    /** From now on the pictures of this build are drawn, too. */
    expect(deferred: DeferredPictures): void {
      builds = [toDrawings(deferred), ...builds].slice(0, keptBuilds)
    },
    find(name: string): DeferredPicture | undefined {
      const mark = /-([0-9a-f]{10})\.\w+$/.exec(name)?.[1] ?? ''
      const drawing = builds.find((build) => build.has(mark))?.get(mark)
      return drawing && findPlace(drawing, name)
    },
    /** Draws what the newest build left, one picture after the other; what is asked for goes on beside it. */
    async drawAll(signal: AbortSignal): Promise<number> {
      let drawn = 0
      for (const drawing of builds[0]?.values() ?? []) {
        if (signal.aborted) break
        if (cache.has(drawing.key)) continue
        if (await draw(drawing)) drawn += 1
      }
      return drawn
    },
    /** Forgets what nobody has asked for in two months. */
    prune: (): Promise<void> => cache.prune(new Date(now())),
  }
}

export type DeferredPictureStore = ReturnType<typeof openDeferredPictures>

/** By what the names of its files end with. */
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
