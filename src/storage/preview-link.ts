import { createHmac, timingSafeEqual } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { readSecret } from './read-secret.ts'

/** What the links to posts that are not published are made with; a key file in the data folder when nothing is set. */
export const readPreviewSecret = ({ secret, dataDir }: Pick<Config, 'secret' | 'dataDir'>): string =>
  secret() ?? readSecret(join(resolve(dataDir), 'preview.key'))

const toKey = (secret: string, slug: string): string =>
  createHmac('sha256', secret).update(`preview:${slug}`).digest('base64url')

/** Where a post that is not published can be seen by whoever has the link. */
export const toPreviewPath = (secret: string, slug: string): `/${string}` =>
  `/previews/${encodeURIComponent(slug)}?key=${toKey(secret, slug)}`

/** Whether somebody has the link. */
export function isPreviewKey(secret: string, slug: string, key: string): boolean {
  const [given, right] = [Buffer.from(key), Buffer.from(toKey(secret, slug))]
  return given.length === right.length && timingSafeEqual(given, right)
}
