import { createHmac, timingSafeEqual } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { Config } from '../config/config.ts'
import { readSecret } from './read-secret.ts'

/** The secret that authenticates links to unpublished posts: the setting, else a key file in the data folder. */
export const readPreviewSecret = ({ secret, dataDir }: Pick<Config, 'secret' | 'dataDir'>): string =>
  secret() ?? readSecret(join(resolve(dataDir), 'preview.key'))

const toKey = (secret: string, slug: string): string =>
  createHmac('sha256', secret).update(`preview:${slug}`).digest('base64url')

/** The secret link to an unpublished post, as a path with its key. */
export const toPreviewPath = (secret: string, slug: string): `/${string}` =>
  `/previews/${encodeURIComponent(slug)}?key=${toKey(secret, slug)}`

/** Whether this is the key of the post's secret link; compared in constant time. */
export function isPreviewKey(secret: string, slug: string, key: string): boolean {
  const [given, right] = [Buffer.from(key), Buffer.from(toKey(secret, slug))]
  return given.length === right.length && timingSafeEqual(given, right)
}
