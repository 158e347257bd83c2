import { z } from 'zod'
import { nameOf } from '../read/body-kind.ts'
import { parseJson } from '../read/parse-json.ts'
import { findAnswer, type Site } from '../read/seen.ts'
import { type Judgement, judge } from './checks.ts'

const entry = z.looseObject({})
const skillsSchema = z.union([z.looseObject({ items: z.array(entry) }), z.looseObject({ skills: z.array(entry) })])
const counted = z.looseObject({ count: z.number() })

const forSale = z.looseObject({
  buyUrl: z.string(),
  x402: z.looseObject({ network: z.string(), asset: z.string(), payTo: z.string() }),
})
const listsSchema = z.record(z.string(), z.unknown())

/** Judges what a site sells to programs. Sites that sell nothing lose no points. */
export const judgeSelling = (site: Site): Judgement[] => [...judgeSkills(site), ...judgeCatalog(site)]

function judgeSkills(site: Site): Judgement[] {
  const answer = findAnswer(site.get('/skills.json'))
  if (!answer || answer.fetched.isCut) return []
  if (answer.kind !== 'json') return [judge('skills-broken', false, `The body is ${nameOf(answer)}.`)]
  const json = parseJson(answer.text)
  const read = skillsSchema.safeParse(json)
  if (!read.success) return [judge('skills-broken', false, 'It is no JSON object with a list of items or skills.')]
  const { length } = z.array(entry).parse(read.data['items'] ?? read.data['skills'])
  const count = counted.safeParse(json)
  return [
    judge('skills-broken', true, ''),
    judge(
      'skills-count',
      !count.success || count.data.count === length,
      `It says that there are ${count.data?.count}, and lists ${length}.`,
    ),
  ]
}

function judgeCatalog(site: Site): Judgement[] {
  const answer = findAnswer(site.get('/api/catalog.json'))
  if (!answer || answer.fetched.isCut) return []
  if (answer.kind !== 'json') return [judge('catalog-broken', false, `The body is ${nameOf(answer)}.`)]
  const read = listsSchema.safeParse(parseJson(answer.text))
  if (!read.success) return [judge('catalog-broken', false, 'It is not one JSON object.')]
  const { hostname } = new URL(answer.fetched.url)
  const entries = Object.values(read.data).flatMap((list) => (Array.isArray(list) ? list : []))
  const unsellable = entries.filter((one) => {
    const sale = forSale.safeParse(one)
    return !sale.success || !URL.canParse(sale.data.buyUrl) || new URL(sale.data.buyUrl).hostname !== hostname
  })
  return [
    judge('catalog-broken', true, ''),
    judge(
      'catalog-terms',
      unsellable.length === 0,
      `${unsellable.length} of ${entries.length} entries lack a buyUrl of this site or payment terms (network, asset, payTo).`,
    ),
  ]
}
