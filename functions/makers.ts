import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GuardedFetch } from '../src/fetching/fetched.ts'
import type { Episodes } from '../src/media/episode.ts'
import { textProduct } from '../src/payments/product.ts'
import type { Make } from '../src/payments/sell.ts'
import { joinNarrations } from './export-posts/join-narrations.ts'
import { type ImageDeps, makeImage } from './image/make-image.ts'
import { makeNarrate, type NarrateDeps } from './narrate/make-narrate.ts'
import type { Offer } from './offer.ts'
import { makePack } from './pack/make-pack.ts'
import type { ReadingRoom } from './pack/reading/open-reading-room.ts'
import { makeSessionStatus } from './session-status/make-session-status.ts'

export interface MakerDeps {
  /** Folder of the build with the texts that are sold; never part of what is served for free. */
  privateFolder: string
  episodes: Pick<Episodes, 'find'>
  guardedFetch: GuardedFetch
  images: ImageDeps
  narration: NarrateDeps
  readDocument: ReadingRoom['read']
  /** Where skills are described, by slug. */
  skillUrls: ReadonlyMap<string, string>
  now: () => Date
}

/** Delivers a text that the build prepared. */
const privateText =
  ({ privateFolder }: MakerDeps, name: string, mimeType?: string): Make =>
  async () =>
    textProduct(await readFile(join(privateFolder, name), 'utf8'), mimeType)

const makers: Readonly<Record<string, (deps: MakerDeps) => Make>> = {
  'bot-catalog': (deps) => privateText(deps, 'bot-catalog.json', 'application/json; charset=utf-8'),
  'image-generate': ({ images }) => makeImage(images),
  narrate: ({ narration }) => makeNarrate(narration),
  'llms-full': (deps) => privateText(deps, 'llms-full.txt'),
  'llms-pack': ({ guardedFetch, readDocument }) => makePack({ guardedFetch, read: readDocument }),
  'posts-export':
    ({ privateFolder, episodes }) =>
    async () => {
      const exported = await readFile(join(privateFolder, 'posts-export.json'), 'utf8')
      return textProduct(joinNarrations(exported, episodes), 'application/json; charset=utf-8')
    },
  'session-status': makeSessionStatus,
}

/** What makes the product of an offer; undefined while it is only declared (answered `not-available-yet`, uncharged). */
export const findMaker = (offer: Offer, deps: MakerDeps): Make | undefined =>
  offer.lane === 'skill' ? privateText(deps, `skill-${offer.slug}.md`) : makers[offer.id]?.(deps)
