import { z } from 'zod'
import { backupResults, missingProducts, scanResults, toPublicReason } from './job-results.ts'

const publishResults = z.object({ published: z.boolean(), isLate: z.literal(true).exactOptional() })
const reconcileResults = z.object({ open: z.number() })
const retentionResults = z.object({
  products: z.number(),
  payments: z.number(),
  runs: z.number(),
  backups: z.number(),
  webhooks: z.number().default(0),
})

const crawlerResults = z.object({
  ranges: z.record(z.string(), z.unknown()),
  docs: z.record(z.string(), z.object({ isThere: z.boolean() })),
})

const hubResults = z.object({ pinged: z.number(), unheard: z.array(z.string()) })

const mentionResults = z.object({ seen: z.number(), found: z.number() })

const letterResults = z.object({
  letters: z.number(),
  confirmations: z.number(),
  refused: z.number(),
  unknown: z.number(),
})

const askedNobody = z.object({ askedNobody: z.literal(true) })

const count = (number: number, one: string, more = `${one}s`): string => `${number} ${number === 1 ? one : more}`

/** A size for people: `812 kB`, `1.4 MB`. */
function toSize(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const size = bytes / 1000 ** power
  return `${power === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[power] ?? ''}`
}

const listWords = new Intl.ListFormat('en')

/** Describes the result of a run in a sentence; "Done." when its form is not known. */
export function describeResult(result: unknown): string {
  const scan = scanResults.safeParse(result)
  if (scan.success) {
    const states = scan.data.map(({ state }) => state)
    const of = (state: (typeof states)[number]) => states.filter((each) => each === state).length
    const reason = scan.data[0]?.reason
    if (reason !== undefined && of('skipped') === states.length)
      return `Of ${count(states.length, 'post')} none is narrated: ${toPublicReason(reason)}.`
    const parts = [
      [of('narrated'), 'narrated'],
      [of('unchanged'), 'as before'],
      [of('skipped'), 'left out'],
      [of('failed'), 'failed'],
    ] as const
    const said = parts.flatMap(([number, what]) => (number > 0 ? [`${number} ${what}`] : []))
    return states.length === 0 ? 'There is no post.' : `Of ${count(states.length, 'post')}: ${listWords.format(said)}.`
  }
  const backup = backupResults.safeParse(result)
  if (backup.success) {
    const missing = missingProducts.safeParse(result).data?.missing.length ?? 0
    const without = missing > 0 ? ` Without ${count(missing, 'sold product')}, missing or damaged in the store.` : ''
    return `${count(backup.data.tables, 'table')}, ${toSize(backup.data.totalBytes)}, restored and compared.${without}`
  }
  const retention = retentionResults.safeParse(result)
  if (retention.success) {
    const { products, payments, runs, backups, webhooks } = retention.data
    const parts = [
      products > 0 && count(products, 'old product'),
      payments > 0 && count(payments, 'failed payment'),
      runs > 0 && `${count(runs, 'line')} of history`,
      backups > 0 && count(backups, 'old backup'),
      webhooks > 0 && count(webhooks, 'old webhook'),
    ].filter((part) => part !== false)
    return parts.length === 0 ? 'Nothing was old enough.' : `Dropped ${listWords.format(parts)}.`
  }
  const crawlers = crawlerResults.safeParse(result)
  if (crawlers.success) {
    const pages = Object.values(crawlers.data.docs)
    const missing = pages.filter(({ isThere }) => !isThere).length
    const lists = count(Object.keys(crawlers.data.ranges).length, 'list')
    return `${lists} of address ranges; ${count(pages.length, 'page')} of documentation answered, ${missing} gone.`
  }
  if (askedNobody.safeParse(result).success)
    return 'Nobody was asked: in the sandbox that happens only with npm run job -- crawler-check.'
  const hubs = hubResults.safeParse(result)
  if (hubs.success) {
    const { pinged, unheard } = hubs.data
    const told = pinged > 0 ? `Hubs were told of ${count(pinged, 'feed')}.` : 'Hubs know of everything.'
    return unheard.length === 0
      ? told
      : `Hubs could not be told of ${count(unheard.length, 'feed')}; they are told later.`
  }
  const mentions = mentionResults.safeParse(result)
  if (mentions.success) {
    const { seen, found } = mentions.data
    return seen === 0 ? 'No page said that it mentions a post.' : `Of ${count(seen, 'page')}, ${found} mention a post.`
  }
  const sent = letterResults.safeParse(result)
  if (sent.success) {
    const { letters, confirmations, refused, unknown } = sent.data
    const parts = [
      letters > 0 && `${count(letters, 'letter')} sent`,
      confirmations > 0 && `${count(confirmations, 'reader')} asked to confirm`,
      refused > 0 && `${refused} not taken by the mail server and tried again`,
      unknown > 0 && `${unknown} cut off and not sent again`,
    ].filter((part) => part !== false)
    return parts.length === 0 ? 'There was nothing to send.' : `${listWords.format(parts)}.`
  }
  const publish = publishResults.safeParse(result)
  if (publish.success) {
    const { published, isLate } = publish.data
    if (isLate)
      return 'A post is due, but the site built with it could not be served; it is tried again within the hour.'
    return published ? 'Built the site with the posts that were due.' : 'No post was due.'
  }
  const reconcile = reconcileResults.safeParse(result)
  if (!reconcile.success) return 'Done.'
  const { open } = reconcile.data
  if (open === 0) return 'No payment is unfinished.'
  return open === 1 ? '1 payment waits for the chain.' : `${open} payments wait for the chain.`
}
