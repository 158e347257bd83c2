import { findMaker, type MakerDeps } from '../../functions/makers.ts'
import { type Offer, pagePath } from '../../functions/offer.ts'
import { openReadingRoom } from '../../functions/pack/reading/open-reading-room.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Make } from '../payments/sell.ts'
import { openFetching } from './open-fetching.ts'
import { openImages } from './open-images.ts'
import { openVoice } from './open-voice.ts'

interface Options extends Pick<MakerDeps, 'privateFolder' | 'episodes'> {
  readonly config: Config
  readonly dataDir: string
  readonly offers: readonly Offer[]
  readonly log: Log
}

/** Where the products are made. */
export interface Workshop extends Pick<Awaited<ReturnType<typeof openVoice>>, 'list' | 'samples'> {
  readonly find: (offer: Offer) => Make | undefined
  close(): Promise<void>
}

/** Opens the engines of the hosted APIs. Each starts its workers when there is work, and not before. */
export async function openWorkshop({ config, dataDir, offers, log, ...texts }: Options): Promise<Workshop> {
  const guardedFetch = openFetching(config)
  const images = openImages(config.engines.image, guardedFetch, log)
  const voice = await openVoice(config.engines.voice, { dataDir, baseUrl: config.baseUrl, log })
  const readingRoom = openReadingRoom()
  const skills = offers.filter(({ lane }) => lane === 'skill')
  const deps: MakerDeps = {
    ...texts,
    guardedFetch,
    images,
    narration: voice,
    readDocument: readingRoom.read,
    skillUrls: new Map(skills.map((offer) => [offer.slug, `${config.baseUrl}${pagePath(offer)}`])),
    now: () => new Date(),
  }
  return {
    find: (offer) => findMaker(offer, deps),
    list: voice.list,
    samples: voice.samples,
    async close() {
      await Promise.all([images.close(), voice.close(), readingRoom.close()])
    },
  }
}
