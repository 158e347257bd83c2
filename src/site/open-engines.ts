import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MakeContext } from '../../functions/make-context.ts'
import type { Config } from '../config/config.ts'
import { allFacilitators } from '../config/facilitators.ts'
import { type Log, toLogText } from '../core/log.ts'
import type { GuardedFetch } from '../fetching/fetched.ts'
import { makeFindAddresses } from '../fetching/find-addresses.ts'
import { makeGuardedFetch } from '../fetching/guarded-fetch.ts'
import type { RequestSigner } from '../fetching/request-signatures.ts'
import { openCoverStudio } from '../images/covers/make-cover.ts'
import type { ImageService } from '../images/image-service.ts'
import { openImageEngine } from '../images/open-image-engine.ts'
import { findMaker } from '../offers/find-products.ts'
import type { Make } from '../offers/make.ts'
import { pagePath } from '../offers/offer.ts'
import { type Products, toFolderOffers } from '../offers/products.ts'
import type { Skill } from '../offers/skill.ts'
import type { ShopStorage } from './open-storage.ts'
import { openVoice } from './open-voice.ts'
import { openRequestSignatures } from './signatures-route.ts'

/** The folder of the products of this installation. */
export const productsRoot = fileURLToPath(new URL('../../functions/', import.meta.url))

interface EngineOptions {
  readonly config: Config
  readonly dataDir: string
  readonly storage: ShopStorage | undefined
  readonly log: Log
}

/**
 * Opens the engines that products are made with, whichever build is served. Each engine starts its workers only when
 * there is work.
 */
export async function openEngines({ config, dataDir, storage, log }: EngineOptions) {
  const { baseUrl, niceness } = config
  const signatures = openRequestSignatures(config)
  const guardedFetch = openFetching(config, signatures.sign)
  const images = openImages(config.engines.image, guardedFetch, { log, niceness: niceness(imageNiceness) })
  const speech = await openVoice(config.engines.voice, { dataDir, storage, baseUrl, log, niceness })
  return {
    guardedFetch,
    signatures,
    images,
    speech,
    async close(): Promise<void> {
      await Promise.all([images.close(), speech.close()])
    },
  }
}

export type Engines = Awaited<ReturnType<typeof openEngines>>

interface MakesOptions extends Required<Pick<MakeContext, 'episodes' | 'crawlerFacts' | 'report'>> {
  readonly engines: Engines
  readonly baseUrl: string
  /** The folder of the build with the texts that are sold; never part of what is served for free. */
  readonly privateFolder: string
  readonly products: Products
  readonly skills: readonly Skill[]
}

/** Opens the functions that make the products of one build. */
export async function openMakes(options: MakesOptions) {
  const { engines, baseUrl, privateFolder, episodes, crawlerFacts, report, products, skills } = options
  const { guardedFetch, images, speech } = engines
  const closes: (() => Promise<void>)[] = []
  const context: MakeContext = {
    readPrivate: (name) => readFile(join(privateFolder, name), 'utf8'),
    episodes,
    crawlerFacts,
    guardedFetch,
    images,
    speech,
    skillUrls: new Map(skills.map(({ slug }) => [slug, baseUrl + pagePath({ lane: 'skill', slug })])),
    now: () => new Date(),
    report,
    onClose: (close) => closes.push(close),
  }
  const close = async (): Promise<void> => void (await Promise.all(closes.map((end) => end())))
  try {
    const makes = await Promise.all(
      Array.from(products, async ([folder, declared]) => {
        const maker = await findMaker<MakeContext>(productsRoot, folder)
        return toFolderOffers(declared, skills).map((offer) => [offer.id, maker(context, offer)] as const)
      }),
    )
    return { byOffer: new Map<string, Make>(makes.flat()), close }
  } catch (error) {
    await close()
    throw error
  }
}

/**
 * The only way by which the site fetches URLs of strangers. It refuses the addresses of the facilitators and RPC nodes
 * of the site.
 */
export const openFetching = (config: Config, sign: RequestSigner): GuardedFetch =>
  makeGuardedFetch({
    userAgent: `FarthingFetch/1.0 (+${config.baseUrl}/agents)`,
    refusedUrls: [config, ...config.alsoNetworks].flatMap((each) => [
      ...allFacilitators(each).map(({ url }) => url),
      each.rpcUrl,
    ]),
    findAddresses: makeFindAddresses(),
    openSocket: ({ host, port }) => connect({ host, port, autoSelectFamily: false }),
    sign,
    test: config.egressTest,
  })

/** The nice value: lower priority than requests, higher than background work. */
const imageNiceness = 10
/** Each thread uses up to 200 MB while it draws. */
const mostThreads = 2

/**
 * Opens the engine of the images that are sold. It has workers of its own, so that pictures the site draws for itself
 * never delay a buyer.
 */
export function openImages(
  choice: Config['engines']['image'],
  fetchPublic: GuardedFetch,
  { log, niceness }: { readonly log: Log; readonly niceness: number },
): ImageService & { close(): Promise<void> } {
  const studio = openCoverStudio({ threads: Math.min(mostThreads, availableParallelism()), niceness })
  return {
    engine: openImageEngine(choice, studio, fetchPublic),
    review: (jpeg, expected, signal) => studio.reviewImage({ jpeg, expected }, { signal }),
    report: (kind, error) =>
      log('media.failed', { product: 'image-generate', engine: choice.is, kind, error: toLogText(error) }),
    now: () => performance.now(),
    close: studio.close,
  }
}
