import { resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { type Log, toLogText } from '../core/log.ts'
import { makeGuardedServer } from '../http/guarded-server.ts'
import { makeSecurityHeaders } from '../http/security-headers.ts'
import { makeSendProblem } from '../http/send-problem.ts'
import { readAnnouncement, watchAnnouncements } from '../storage/announced-build.ts'
import { loadBuild } from '../storage/build-folder.ts'
import { assertBuiltFor } from './assert-built-for.ts'
import type { AstroHandler } from './astro-handler.ts'
import { openEditions } from './open-editions.ts'
import { openPress, type Wrappers } from './open-press.ts'

const asItIs = <Part>(part: Part): Part => part
const unwrapped: Wrappers = { ledger: asItIs, facilitator: asItIs, oracle: asItIs, products: asItIs, make: asItIs }

/**
 * Opens everything the site program needs: what outlives builds, and over it the edition that one finished build makes.
 * Builds that are announced from now on take its place while requests go on. Unfinished payments of an earlier life are
 * reconciled before it returns, those on Base. `handler` renders pages in place of the build's own.
 *
 * @throws StorageError when the ledger cannot be used; Error when the build was made for another wallet or address
 */
export async function openSite(
  config: Config,
  buildFolder: string,
  log: Log,
  wrap: Wrappers = unwrapped,
  handler?: AstroHandler,
) {
  const logRejection = (error: unknown) => log('server.error', { error: toLogText(error) })
  // A promise that nobody awaited would end the program.
  process.on('unhandledRejection', logRejection)
  const dataDir = resolve(config.dataDir)
  const build = loadBuild(resolve(buildFolder))
  assertBuiltFor(config, build.facts)
  // What is announced while all this opens counts, too.
  const announced = readAnnouncement(dataDir)
  const press = await openPress(config, log, wrap)
  const editions = await openEditions(press, build, handler).catch(async (error: unknown) => {
    await press.idle()
    await press.close()
    throw error
  })
  // Where somebody else renders the pages, no build has any.
  const stopWatching = handler
    ? () => {}
    : await watchAnnouncements(dataDir, {
        before: announced,
        onBuild: (name) => void editions.take(name),
        onFault(error) {
          press.noteBuild('refused')
          log('build.refused', { build: 'unknown', reason: toLogText(error) })
        },
      })
  const security = makeSecurityHeaders(config.baseUrl)
  const sendProblem = makeSendProblem({ baseUrl: config.baseUrl, security })
  const server = makeGuardedServer({ security, sendProblem, route: press.traced(editions.answer) })

  const open = await press.payments.reconcile({ only: 'first' })
  if (open > 0) log('sale.open', { count: open })
  // No network beside Base may keep the site from selling on it.
  const others = press.payments.reconcile({ only: 'others', signal: press.stopping }).catch(logRejection)
  press.start()
  return {
    /** Not listening yet. */
    server,
    /** Once the site answers: from now on jobs run when they are due, beside everything else. */
    startJobs(): void {
      press.jobs.start()
      press.pictures.start()
    },
    /** Before the last request: ends what would outlast it. */
    beginClose(): void {
      stopWatching()
      press.stop()
    },
    /** When time runs out: from now on no money moves that does not move yet. */
    settleNoMore: press.payments.settleNoMore,
    /** After the last request: waits for jobs and closes the ledger. */
    async close(): Promise<void> {
      stopWatching()
      press.stop()
      await others
      await press.idle()
      await editions.close()
      await press.close()
      process.off('unhandledRejection', logRejection)
    },
  }
}

export type Site = Awaited<ReturnType<typeof openSite>>
