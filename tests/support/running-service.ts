import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openGameHost } from '../../game-server/host/open-game-host.ts'
import { makeCredits } from '../../game-server/store/credits.ts'
import { readConfig } from '../../src/config/config.ts'
import { sandboxAccounts } from '../../src/config/sandbox-accounts.ts'
import { listen } from '../../src/http/listen.ts'
import type { Route } from '../../src/http/route.ts'
import { openEpisodeStore } from '../../src/narration/episodes/episode-store.ts'
import { readPostsToNarrate } from '../../src/narration/episodes/posts-to-narrate.ts'
import { buildFiles } from '../../src/storage/build-folder.ts'
import { playToDeath, startGameHost } from './game-host.ts'
import { type RunningMoney, startMoney } from './money.ts'
import { openPretendWeb, type PretendPages } from './pretend-web.ts'
import { startSite, testBaseUrl, testBuild } from './running-site.ts'
import { payingFetch } from './stock-client.ts'
import { toPlace } from './test-databases.ts'

/** The address of the game in the tested build. */
export const testGameUrl = 'http://undercroft.test'

/** A player who has died once and has some credits. */
export interface Veteran {
  readonly playerName: string
  readonly resumeToken: string
  readonly death: string
}

/** The whole installation: site, game host, facilitator, chain, and a small web for products that fetch pages. */
export interface RunningService {
  readonly money: RunningMoney
  readonly wsUrl: string
  /** The routes that the game host declares. */
  readonly gameRoutes: readonly Route[]
  readonly veteran: Veteran
  /** The storage key of the only narrated post. */
  readonly storageKey: string
  /** Fetches a path of the site, or an absolute address of either program. */
  readonly fetch: typeof fetch
  /** The same with the wallet of a stock client. */
  readonly pay: typeof fetch
  /** Sets the pages of a host of the small web. */
  serve(host: string, pages: PretendPages): void
  /** Errors of the game host. */
  readonly failures: readonly string[]
  stop(): Promise<void>
}

/** The narrated post, and its sentences. */
export const heardPost = 'fair-play'
export const heardSentence = 'The lantern keeper counts farthings.'

const sizeBytes = 4096
/** Enough credits for one product, earned over as many days as the daily limit requires. */
const saved = 120
const dailyCap = 40
const dayMs = 24 * 60 * 60 * 1000

/** Hosts that the packer and the diagnosis may fetch from. */
const webHosts = ['news.test', 'late.test', 'slow.test']

/** Starts everything with the tested build, on free ports and with a data folder that both programs share. */
export async function startService(): Promise<RunningService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'farthing-service-'))
  const [money, web] = await Promise.all([startMoney(), openPretendWeb()])
  const storageKey = await tellPost(join(dataDir, 'audio'))
  const veteran = await makeVeteran(dataDir)
  const failures: string[] = []
  const log = (event: string, fields: object) => {
    if (event === 'server.error') failures.push(JSON.stringify(fields))
  }
  const env = { EGRESS_TEST_HOSTS: web.egress(...webHosts), EGRESS_TEST_CA: web.caFile }
  const site = await startSite({ ...money, dataDir, env })
  const config = readConfig({
    BASE_URL: testBaseUrl,
    GAME_URL: testGameUrl,
    PORT: '0',
    ...(await toPlace(dataDir)),
    FACILITATOR_URL: money.facilitatorUrl,
    RPC_URL: money.rpcUrl,
  })
  const game = await openGameHost(config, testBuild(), log)
  const { port } = await listen(game.server, { host: '127.0.0.1', port: 0 })
  const gameOrigin = `http://127.0.0.1:${port}`

  const ask: typeof fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, testBaseUrl)
    if (url.origin !== testGameUrl) return site.fetch(input, init)
    const local = gameOrigin + url.pathname + url.search
    return input instanceof Request ? fetch(new Request(local, input), init) : fetch(local, init)
  }
  return {
    money,
    wsUrl: `ws://127.0.0.1:${port}/ws`,
    gameRoutes: game.routes,
    veteran,
    storageKey,
    fetch: ask,
    pay: payingFetch(sandboxAccounts.buyer.privateKey, ask, { maxAmountPerPayment: '$25' }),
    serve: web.serve,
    failures,
    async stop() {
      game.beginClose()
      game.server.close()
      game.server.closeAllConnections()
      await game.close()
      await site.kill('SIGTERM')
      await web.close()
      await money.stop()
    },
  }
}

/** Stores a narration for the site; its sound is arbitrary bytes, which are only transferred. */
export async function tellPost(folder: string): Promise<string> {
  const posts = readPostsToNarrate(buildFiles(testBuild()).privateTexts, { album: 'Test' })
  const post = posts.find(({ slug }) => slug === heardPost)
  if (!post) throw new Error(`there is no post ${heardPost}`)
  const { storageKey, slug, title, language } = post
  const store = await openEpisodeStore(folder, posts)
  const about = { storageKey, slug, title, language, voiceId: 'English_SereneWoman' }
  await store.keep(
    {
      ...about,
      createdAt: new Date().toISOString(),
      durationMs: 247_000,
      sizeBytes,
      cues: [{ text: heardSentence, startMs: 7_900, endMs: 9_000 }],
      chapters: [{ title, startMs: 0 }],
    },
    randomBytes(sizeBytes),
  )
  store.close()
  return storageKey
}

/** Plays a life to its end before the game host opens, because the host limits keys. */
async function makeVeteran(folder: string): Promise<Veteran> {
  const gameHost = await startGameHost({ folder, inputLimits: { perSecond: 1e9, burst: 1e9 } })
  const playerName = 'Veteran'
  const joined = await gameHost.dungeon.join({ name: playerName, kind: 'agent' })
  if (joined.is === 'refused') throw new Error(joined.message)
  for (let day = saved / dailyCap; day > 0; day--) {
    const credits = makeCredits({ db: gameHost.ledger, now: () => Date.now() - day * dayMs })
    await credits.earn({ key: playerName.toLowerCase(), credits: dailyCap, reason: 'depth', ref: `day ${day}` })
  }
  const death = await playToDeath(gameHost, joined.token)
  await gameHost.stop()
  return { playerName, resumeToken: joined.token, death: death.id }
}
