import { z } from 'zod'

const single = z.looseObject({})
const graph = z.looseObject({ '@graph': z.array(single) })
const addressKeys = ['url', 'image', 'logo', '@id', 'mainEntityOfPage'] as const

/** What makes valid JSON-LD useless for its readers; undefined when nothing does, or when there is no object. */
export function findVague(value: unknown): string | undefined {
  const listed = z.array(single).safeParse(value)
  const things = listed.success ? listed.data : [single.safeParse(value).data ?? []].flat()
  const bare = things.find((thing) => !/schema\.org/i.test(JSON.stringify(thing['@context'] ?? '')))
  if (bare) return 'It has no "@context" of schema.org, so its words mean nothing.'
  const all = things.flatMap((thing) => graph.safeParse(thing).data?.['@graph'] ?? [thing])
  if (all.some((thing) => thing['@type'] === undefined)) return 'It has no "@type".'
  const relative = all
    .flatMap((thing) => addressKeys.map((key) => [key, thing[key]] as const))
    .find(([key, address]) => typeof address === 'string' && address !== '' && !isFull(address, key))
  return relative && `Its ${relative[0]} is not a full address.`
}

/** An `@id` may have any scheme or be a fragment; other addresses must be absolute http or https. */
const isFull = (address: string, key: string): boolean =>
  key === '@id'
    ? address.startsWith('#') || URL.canParse(address)
    : /^https?:\/\//i.test(address) && URL.canParse(address)
