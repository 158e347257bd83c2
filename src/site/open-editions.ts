import { existsSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { dirname, join } from 'node:path'
import { toLogText } from '../core/log.ts'
import type { StaticFile } from '../http/static/static-file.ts'
import { type Build, buildFiles, loadBuild } from '../storage/build-folder.ts'
import { tryToPinBuild } from '../storage/build-pins.ts'
import { assertBuiltFor } from './assert-built-for.ts'
import type { AstroHandler } from './astro-handler.ts'
import { type Edition, openEdition } from './open-edition.ts'
import type { Press } from './open-press.ts'

/** How many builds a page that is open in a browser may be behind and still get its files. */
const keptBuilds = 2

/** A build that was served before, while pages of it may still be open. */
interface Replaced {
  readonly lasting: ReadonlyMap<string, StaticFile>
  readonly unpin: () => void
}

/**
 * The editions of a press, of which one is current. A request is handled by the edition that is current when it begins.
 * A replaced edition is closed when its last request or purchase has ended.
 *
 * @param first the first build; the folders of later ones are next to it
 * @param handler renders pages instead of the code of the builds
 * @throws Error when the first build is damaged, or was made for another wallet or address
 */
export async function openEditions(press: Press, first: Build, handler?: AstroHandler) {
  const { config, log, narration, duePosts, jobs, noteBuild } = press
  const builds = dirname(first.folder)
  const pin = (folder: string): (() => void) => tryToPinBuild(folder, (note) => log('server.note', { note }))
  let current = await open(first, [])
  press.serve(current)
  const { program } = current.build.facts
  let unpin = pin(first.folder)
  let replaced: readonly Replaced[] = []
  const leaving = new Set<Promise<void>>()
  let turn = Promise.resolve()

  async function open(build: Build, before: readonly Replaced['lasting'][]): Promise<Edition> {
    assertBuiltFor(config, build.facts)
    const earlier = new Map(before.toReversed().flatMap((files) => [...files]))
    const edition = await openEdition(press, { build, earlier, handler })
    try {
      await narration.publish(buildFiles(build.folder).privateTexts)
      duePosts.expect(build.facts.nextPostAt)
      return edition
    } catch (error) {
      await edition.close()
      throw error
    }
  }

  async function replaceBy(folder: string, release: () => void): Promise<void> {
    const build = loadBuild(folder)
    if (build.facts.program !== program)
      throw new Error('it was made from other code than this program runs; restart the program to serve it')
    const before = [current, ...replaced].slice(0, keptBuilds).map(({ lasting }) => without(lasting, build))
    const next = await open(build, before)
    const [last, unpinLast] = [current, unpin]
    current = next
    press.serve(next)
    unpin = release
    const left = follow(last)
    const all = [{ lasting: last.lasting, unpin: () => void left.then(unpinLast) }, ...replaced]
    replaced = all.slice(0, keptBuilds).map((each) => ({ ...each, lasting: without(each.lasting, build) }))
    for (const each of all.slice(keptBuilds)) each.unpin()
  }

  /** Closes a replaced edition when its last request or purchase has ended. Never rejects. */
  function follow(last: Edition): Promise<void> {
    const left = last
      .idle()
      .then(last.close)
      .catch((error: unknown) => log('server.error', { error: toLogText(error) }))
      .finally(() => leaving.delete(left))
    leaving.add(left)
    return left
  }

  async function takeNow(name: string): Promise<void> {
    const folder = join(builds, name)
    if (folder === current.build.folder) {
      noteBuild('served')
      return
    }
    const release = pin(folder)
    try {
      if (!existsSync(buildFiles(folder).facts)) throw new Error(`there is no finished build in ${folder}`)
      await replaceBy(folder, release)
      noteBuild('served')
      jobs.again(['media-scan', 'websub', 'newsletter', ...(duePosts.isNear() ? (['publish'] as const) : [])])
      log('build.taken', { build: name })
    } catch (error) {
      release()
      noteBuild('refused')
      log('build.refused', { build: name, reason: toLogText(error) })
    }
  }

  const answer: RequestListener = (req, res) => current.answer(req, res)
  return {
    /** Handles a request with the current edition. */
    answer,
    /**
     * Replaces the current edition by one of another build, once that is completely open. A build that does not fit or
     * cannot be loaded is refused, and the current one stays; the log says which.
     *
     * @param name the name of its folder, next to that of the first build
     */
    take(name: string): Promise<void> {
      turn = turn.then(() => takeNow(name))
      return turn
    },
    /** Call it when no request is left; resolves when nothing is under way and all is closed. */
    async close(): Promise<void> {
      await turn
      await Promise.all(leaving)
      await current.close()
    },
  }
}

/** The files that a later build does not have. */
const without = (files: Replaced['lasting'], { manifest }: Build): Replaced['lasting'] =>
  new Map([...files].filter(([url]) => !(url in manifest)))
