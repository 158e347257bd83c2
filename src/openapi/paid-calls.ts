import { type MicroUsd, toDisplay } from '../core/money.ts'
import type { ProblemKind } from '../core/problem-kinds.ts'
import { isLasting, type Offer, priceText, toPathParameters } from '../offers/offer.ts'
import { asking, bodyProblems, signInParameter } from '../routes/parameters.ts'
import type { Answer, Path } from '../routes/route.ts'
import { typedSchema } from './answer-content.ts'
import type { Called } from './route-operation.ts'

const sixPlaces = (price: MicroUsd): string =>
  `${price / 1_000_000n}.${(price % 1_000_000n).toString().padStart(6, '0')}`

function toParameters(offer: Offer, siblings: readonly Offer[]) {
  const inPath = Object.keys(toPathParameters(offer)).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', enum: siblings.map((sibling) => toPathParameters(sibling)[name]) },
  }))
  const signIn = isLasting(offer) ? [signInParameter] : []
  return offer.method === 'GET' ? [...inPath, ...asking(offer.input).parameters, ...signIn] : inPath
}

/** The media types of the delivered product, and of the free text that `?inspect=1` returns for some products. */
const answerOf = ({ mimeType, otherMimeTypes = [], answer, inspect }: Offer): Answer => ({
  ...Object.fromEntries(
    [mimeType, ...otherMimeTypes].map((type) => [
      type,
      answer && type === 'application/json' ? { $ref: `#/components/schemas/${answer.name}` } : typedSchema(type),
    ]),
  ),
  ...(inspect && { 'text/plain': typedSchema('text/plain') }),
})

const priceInWords = ({ price }: Offer): string =>
  typeof price === 'bigint'
    ? `Costs ${toDisplay(price)}.`
    : `Costs ${price.rule}: ${toDisplay(price.from)} to ${toDisplay(price.most)}. Send the body with the unpaid request, and the 402 quotes it exactly.`

function problemsOf({ method, input }: Offer): readonly ProblemKind[] {
  if (method === 'POST') return bodyProblems
  return Object.keys(input.shape).length > 0 ? ['invalid-input'] : []
}

function toCalled(path: Path, offer: Offer, siblings: readonly Offer[]): Called {
  const { family, price, input: schema, example } = offer
  const { from, most } = typeof price === 'bigint' ? { from: price, most: price } : price
  const about = family ? siblings.map(({ slug, title }) => `- \`${slug}\`: ${title}`).join('\n') : offer.excerpt
  return {
    route: { host: 'site', path, by: 'program' },
    method: offer.method,
    does: {
      id: family?.id ?? offer.id,
      title: `${family?.title ?? offer.title} (${priceText(offer)})`,
      about: family?.delivers ?? offer.delivers.join('\n'),
      answer: answerOf(offer),
      parameters: toParameters(offer, siblings),
      ...(offer.method === 'POST' && { body: { schema, example } }),
      problems: problemsOf(offer),
      price: { min: sixPlaces(from), max: sixPlaces(most) },
    },
    tag: offer.lane,
    description: `${about}\n\n${priceInWords(offer)}`,
    headers: offer.headers,
  }
}

const toPath = ({ family, path }: Offer): Path => {
  const template = (family?.routeTemplate ?? path).replaceAll(/:(\w+)/g, '{$1}')
  return `/${template.slice(1)}`
}

/** The operations of products, one per address. Products of a family share an address and so an operation. */
export const toPaidCalls = (offers: readonly Offer[]): readonly Called[] =>
  [...Map.groupBy(offers, toPath)].flatMap(([path, siblings]) =>
    siblings.slice(0, 1).map((offer) => toCalled(path, offer, siblings)),
  )
