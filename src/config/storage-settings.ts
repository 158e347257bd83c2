import { z } from 'zod'
import { ConfigError } from './config-error.ts'

/** A bucket, and a prefix in it, of an S3-compatible storage. */
interface StoragePlace {
  readonly bucket: string
  /** The beginning of every object key: empty, or names that each end with a slash. */
  readonly prefix: string
  /** The URL of the service, without a trailing slash. */
  readonly endpoint: string
  readonly region: string
  /** Whether requests name the bucket in the path rather than in the host. */
  readonly isPathStyle: boolean
}

/** The storage for large files, where one is used instead of folders. */
export interface StorageSettings extends StoragePlace {
  /** Never printed. */
  readonly keys: () => StorageKeys
}

/** The keys that requests to the storage are signed with. */
export interface StorageKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const shape = 'must be an address like s3://bucket/prefix?endpoint=https://s3.example&region=eu-central-1'
const known = ['endpoint', 'region', 'path-style']

/** Whether plain http is allowed: on this machine, or for a host name without dots, as container networks have. */
const isNear = ({ hostname }: URL): boolean => ['127.0.0.1', '[::1]'].includes(hostname) || /^[\w-]+$/.test(hostname)

/** Why a URL cannot be the endpoint of a storage service; undefined when it can. */
function findEndpointFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    return 'must have an endpoint like https://s3.example'
  if (url.username + url.password !== '')
    return 'must not carry a user name or password: use STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY'
  if (url.protocol === 'http:' && !isNear(url))
    return 'must have an https endpoint, unless it is on this machine or a name without dots, as containers have'
  return undefined
}

/** The first fault in the address of a bucket. The message repeats no part of it, because it may contain a key. */
function findFault(url: URL): string | undefined {
  if (url.username + url.password !== '')
    return 'must not carry keys: use STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY'
  if (url.protocol !== 's3:' || url.port !== '' || url.hash !== '') return shape
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname))
    return 'must name a bucket: 3 to 63 small letters, digits, dots and dashes'
  if (!/^(?:\/[\w.-]+)*\/?$/.test(url.pathname))
    return 'must have a prefix of letters, digits, dots, dashes and slashes'
  const names = [...url.searchParams.keys()]
  if (names.some((name) => !known.includes(name)) || new Set(names).size !== names.length)
    return `takes ${known.join(', ')} after the question mark, each once`
  const { endpoint, region, 'path-style': style } = Object.fromEntries(url.searchParams)
  if (region !== undefined && !/^[a-z0-9-]{1,64}$/.test(region)) return 'must have a region like eu-central-1'
  if (style !== undefined && !['0', '1'].includes(style)) return 'must have path-style 0 or 1'
  return endpoint === undefined ? undefined : findEndpointFault(endpoint)
}

/** Parses `s3://bucket/prefix?endpoint=…&region=…&path-style=1`; the endpoint defaults to that of Amazon S3. */
export const storageUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const fault = url ? findFault(url) : shape
  if (!url || fault !== undefined) {
    context.addIssue({ code: 'custom', message: fault ?? shape })
    return z.NEVER
  }
  const { endpoint, region, 'path-style': style } = Object.fromEntries(url.searchParams)
  const names = url.pathname.split('/').filter(Boolean)
  return {
    bucket: url.hostname,
    prefix: names.map((name) => `${name}/`).join(''),
    endpoint: endpoint?.replace(/\/+$/, ''),
    region,
    style,
  }
})

interface StorageEnvironment {
  readonly STORAGE_URL?: z.output<typeof storageUrl> | undefined
  readonly STORAGE_ACCESS_KEY_ID?: string | undefined
  readonly STORAGE_SECRET_ACCESS_KEY?: string | undefined
  readonly AWS_ACCESS_KEY_ID?: string | undefined
  readonly AWS_SECRET_ACCESS_KEY?: string | undefined
  readonly AWS_SESSION_TOKEN?: string | undefined
  readonly AWS_REGION?: string | undefined
}

/**
 * The storage with its keys. The AWS variables are used where ours are absent. They are only validated when there is a
 * storage, because they may be set for another program.
 *
 * @throws ConfigError when a key or the region is missing or wrong
 */
export function storageOf(env: StorageEnvironment): StorageSettings | undefined {
  const { STORAGE_URL: place, STORAGE_ACCESS_KEY_ID: ownId, STORAGE_SECRET_ACCESS_KEY: ownSecret } = env
  if (place === undefined) {
    if (ownId === undefined && ownSecret === undefined) return undefined
    throw new ConfigError('STORAGE_URL must be set when STORAGE_ACCESS_KEY_ID or STORAGE_SECRET_ACCESS_KEY is')
  }
  const isOwn = ownId !== undefined || ownSecret !== undefined
  const [accessKeyId, secretAccessKey] = isOwn ? [ownId, ownSecret] : [env.AWS_ACCESS_KEY_ID, env.AWS_SECRET_ACCESS_KEY]
  if (!accessKeyId || !secretAccessKey)
    throw new ConfigError('STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY must be set when STORAGE_URL is')
  if (![accessKeyId, secretAccessKey].every((key) => /^[\x21-\x7e]+$/.test(key)))
    throw new ConfigError('STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY must be keys without spaces')
  if (!isOwn && env.AWS_SESSION_TOKEN !== undefined)
    throw new ConfigError(
      'AWS_SESSION_TOKEN belongs to temporary keys, and once they expire nothing could be delivered: set STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY to permanent keys',
    )
  const { bucket, prefix } = place
  const region = place.region ?? env.AWS_REGION ?? (place.endpoint === undefined ? undefined : 'us-east-1')
  if (region === undefined || !/^[a-z0-9-]{1,64}$/.test(region))
    throw new ConfigError('STORAGE_URL must have a region, as in s3://bucket?region=eu-central-1')
  const endpoint = place.endpoint ?? `https://s3.${region}.amazonaws.com`
  // Path style is the default for other services, most of which accept it, and for buckets with a dot in the name,
  // which the certificate of `*.s3.example` does not cover.
  const isPathStyle =
    place.style === undefined ? place.endpoint !== undefined || bucket.includes('.') : place.style === '1'
  return { bucket, prefix, endpoint, region, isPathStyle, keys: () => ({ accessKeyId, secretAccessKey }) }
}
