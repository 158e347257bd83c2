import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import siteConfig from '../../site.config.ts'
import { ensureBuild } from '../build/build.ts'
import { type Config, readConfig } from '../config/config.ts'
import { toLogText } from '../core/log.ts'
import type { Work } from '../jobs/carry-out.ts'
import { describeResult } from '../jobs/describe-result.ts'
import { missingProducts } from '../jobs/job-results.ts'
import type { JobOutcome } from '../jobs/run-job.ts'
import { openSpeechEngine } from '../narration/engines/open-speech-engine.ts'
import type { ScannedPost } from '../narration/episodes/media-scan.ts'
import { readPostsToNarrate } from '../narration/episodes/posts-to-narrate.ts'
import { makeChainOracle } from '../payments/chain/chain-oracle.ts'
import { openPayments } from '../payments/open-payments.ts'
import { makeCrawlerWork } from '../site/crawler-work.ts'
import { mediaScanWork } from '../site/media-scan-work.ts'
import { openAudience } from '../site/open-audience.ts'
import { openFetching } from '../site/open-engines.ts'
import { openFacilitator } from '../site/open-facilitator.ts'
import { openEpisodes } from '../site/open-narration.ts'
import { openPressJobs } from '../site/open-press-jobs.ts'
import { openOtherRails, toWallet } from '../site/open-rails.ts'
import { clearStorage, openProducts, openShopBackups, openStorage, type ShopStorage } from '../site/open-storage.ts'
import { openRequestSignatures } from '../site/signatures-route.ts'
import { announceBuild } from '../storage/announced-build.ts'
import { buildFiles, loadBuild } from '../storage/build-folder.ts'
import { openLedgerDatabase } from '../storage/open-ledger-database.ts'
import { readSecret } from '../storage/read-secret.ts'
import { assertHasLedger } from './assert-has-ledger.ts'
import { toPostLine } from './post-line.ts'

const say = (line: string): void => console.log(line)

/** The narration job. It needs the texts of a build, which other jobs do not. */
const toScan =
  (config: Config, dataDir: string, storage: ShopStorage | undefined): Work<unknown> =>
  async (signal, progress) => {
    const privateFolder = buildFiles(await ensureBuild(config, { log: say })).privateTexts
    const engine = openSpeechEngine(config.engines.voice)
    const posts = readPostsToNarrate(privateFolder, { album: siteConfig.name, engine })
    const store = await openEpisodes({ dataDir, storage }, posts)
    try {
      const threads = availableParallelism()
      const onPost = (post: ScannedPost) => say(toPostLine(post))
      return await mediaScanWork({ store, privateFolder, engine, threads, niceness: 0, onPost })(signal, progress)
    } finally {
      store.close()
    }
  }

/**
 * Prints the outcome of a job.
 *
 * @throws Error with one sentence when the job did not complete
 */
function report(name: string, outcome: JobOutcome<unknown>): void {
  switch (outcome.is) {
    case 'ran':
      if (name === 'crawler-check') say(describeResult(outcome.result))
      else if (!Array.isArray(outcome.result)) say(JSON.stringify(outcome.result))
      if ((missingProducts.safeParse(outcome.result).data?.missing.length ?? 0) > 0) say(describeResult(outcome.result))
      say(`${name} is done`)
      break
    case 'busy': {
      const [, pid] = outcome.owner.split('/')
      throw new Error(`${name} runs already, in process ${pid ?? 'unknown'}`)
    }
    case 'lost':
      throw new Error(`${name} stood still for too long, and another process has taken it over`)
    case 'stopped':
      throw new Error(`${name} was stopped`)
    case 'failed':
      throw new Error(`${name} failed: ${toLogText(outcome.error)}`)
  }
}

/**
 * Runs a job in this process and prints what it does.
 *
 * @throws Error with one sentence when the job did not complete
 */
export async function runOneJob(name: string): Promise<void> {
  const config = readConfig(process.env)
  const dataDir = resolve(config.dataDir)
  assertHasLedger(config)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())
  const db = await openLedgerDatabase(join(dataDir, 'ledger.db'), config.databaseUrl())
  const log = () => {}
  try {
    const storage = await openStorage(config, db)
    const payments = openPayments({
      db,
      products: await openProducts(dataDir, storage),
      facilitator: openFacilitator(config),
      oracle: makeChainOracle(config.rpcUrl),
      others: openOtherRails(config),
      wallet: toWallet(config),
      baseUrl: config.baseUrl,
      shopName: siteConfig.name,
      secret: config.secret() ?? readSecret(join(dataDir, 'payments.key')),
      advertise: () => ({}),
      log,
    })
    const backups = await openShopBackups(config, storage)
    const clear = () => clearStorage(storage)
    const scan = toScan(config, dataDir, storage)
    const publish = async () => {
      await announceBuild(dataDir, await ensureBuild(config, { log: say }))
      return { published: true }
    }
    const guardedFetch = openFetching(config, openRequestSignatures(config).sign)
    const closed = { take: () => undefined }
    const audience = await openAudience({
      config,
      db,
      guardedFetch,
      limits: closed,
      report: () => {},
      signal: stop.signal,
    })
    if (name in audience.works) audience.serve(loadBuild(await ensureBuild(config, { log: say })))
    const jobs = openPressJobs({
      db,
      payments,
      backups,
      clear,
      scan,
      publish,
      checkCrawlers: makeCrawlerWork(guardedFetch, { asksOutside: true }),
      audience: audience.works,
      log,
      signal: stop.signal,
      onProgress: say,
    })
    report(name, await jobs.run(name))
    await audience.close()
  } finally {
    await db.destroy()
  }
}
