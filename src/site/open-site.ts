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
 * Opens everything the site program needs: the press, and the edition of one finished build. Builds that are announced
 * later replace it while requests go on. Open payments on Base that an earlier process left are reconciled before it
 * returns. `handler` renders pages instead of the code of the build.
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
  // Without a listener an unhandled rejection would end the program.
  process.on('unhandledRejection', logRejection)
  const dataDir = resolve(config.dataDir)
  const build = loadBuild(resolve(buildFolder))
  assertBuiltFor(config, build.facts)
  // Read before everything is opened, so that a build announced meanwhile is not missed.
  const announced = readAnnouncement(dataDir)
  const press = await openPress(config, log, wrap)
  const editions = await openEditions(press, build, handler).catch(async (error: unknown) => {
    await press.idle()
    await press.close()
    throw error
  })
  // A given handler renders all pages itself, so announced builds do not matter.
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
  // Not awaited: a problem on another network must not keep the site from selling on Base.
  const others = press.payments.reconcile({ only: 'others', signal: press.stopping }).catch(logRejection)
  press.start()
  return {
    /** The server, which does not listen yet. */
    server,
    /** Call it once the site listens: jobs run when they are due from now on. */
    startJobs(): void {
      press.jobs.start()
      press.pictures.start()
    },
    /** Call it before the last request: ends what would outlast it. */
    beginClose(): void {
      stopWatching()
      press.stop()
    },
    /** Call it when time runs out: payments that are not being settled yet are not settled any more. */
    settleNoMore: press.payments.settleNoMore,
    /** Call it after the last request: waits for jobs and closes the ledger. */
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
