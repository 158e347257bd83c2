import { z } from 'zod'
import { findTwice } from '../read/find-twice.ts'
import { parseJson } from '../read/parse-json.ts'
import type { Answered } from '../read/seen.ts'
import { toPrintable } from '../read/to-printable.ts'
import { type Judgement, judge, judgeKind, judgeType } from './checks.ts'
import { isTimestamp, judgeDates } from './judge-dates.ts'

const text = z.string().optional()
const jsonFeedSchema = z.looseObject({
  version: z.string().startsWith('https://jsonfeed.org/version/1'),
  title: z.string(),
  home_page_url: text,
  feed_url: text,
  next_url: text,
  items: z.array(
    z
      .looseObject({
        id: z.string(),
        content_html: text,
        content_text: text,
        url: text,
        external_url: text,
        image: text,
        banner_image: text,
        date_published: text,
        date_modified: text,
        attachments: z.array(z.looseObject({ url: z.string(), mime_type: z.string() })).optional(),
      })
      .refine((item) => item.content_html !== undefined || item.content_text !== undefined, {
        path: ['content_html'],
      }),
  ),
})

type JsonFeed = z.output<typeof jsonFeedSchema>

/** Judges a JSON Feed by the specification, version 1.1. */
export function judgeJsonFeed(answer: Answered, now: Date): Judgement[] {
  if (answer.kind !== 'json') return [judgeKind('json-feed-broken', answer)]
  const isLabelled = judgeType('json-feed-type', answer, /^application\/(?:feed\+)?json/i)
  const read = jsonFeedSchema.safeParse(parseJson(answer.text))
  // A feed that was cut off by our limit is not called broken.
  if (!read.success && answer.fetched.isCut) return [judge('json-feed-broken', true, ''), isLabelled]
  if (!read.success) {
    const where = toPrintable(read.error.issues[0]?.path.join('/') ?? '', 80)
    return [judge('json-feed-broken', false, `It is not as the specification says${where && ` at ${where}`}.`)]
  }
  const { items } = read.data
  const twice = findTwice(items.map(({ id }) => id))
  const wrong = whyWrongAddress(read.data)
  const dates = items.flatMap((item) => [item.date_published ?? [], item.date_modified ?? []].flat())
  return [
    judge('json-feed-broken', true, ''),
    judge('json-feed-ids', twice === undefined, `“${toPrintable(twice ?? '', 60)}” is the id of two items.`),
    judge('json-feed-addresses', wrong === undefined, wrong ?? ''),
    judgeDates('json-feed-dates', dates, { isDate: isTimestamp, form: 'a date of RFC 3339', now }),
    isLabelled,
  ]
}

function whyWrongAddress({ home_page_url, feed_url, next_url, items }: JsonFeed): string | undefined {
  if (!isFull(home_page_url)) return 'home_page_url is not a full address.'
  if (!isFull(feed_url)) return 'feed_url is not a full address.'
  if (next_url !== undefined && next_url === feed_url) return 'next_url leads to the same page again.'
  const addresses = items.flatMap(({ url, external_url, image, banner_image, attachments = [] }) =>
    [url, external_url, image, banner_image, ...attachments.map((file) => file.url)].flatMap((one) => one ?? []),
  )
  const wrong = addresses.find((address) => !isFull(address))
  return wrong === undefined ? undefined : `“${toPrintable(wrong, 80)}” is not a full address.`
}

const isFull = (address = ''): boolean => /^https?:\/\//i.test(address) && URL.canParse(address)
