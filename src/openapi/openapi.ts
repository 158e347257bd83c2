import site from '../../site.config.ts'
import type { Shop } from '../config/shop.ts'
import { identifierRule, retryRule } from '../core/buying-rules.ts'
import type { ProblemKind } from '../core/problem-kinds.ts'
import type { Offer } from '../offers/offer.ts'
import type { Host } from '../routes/route.ts'
import { routes } from '../routes/routes.ts'
import { schemasOf } from './answer-content.ts'
import { toOpenApiComponents } from './openapi-components.ts'
import { merge, type OperationObject, toOptions } from './operation-object.ts'
import { toPaidCalls } from './paid-calls.ts'
import { type Called, paidProblems, toOperation } from './route-operation.ts'

const guidance = [
  'GET /api/catalog.json lists everything for sale. A paid route answers 402 until it is paid; its PAYMENT-REQUIRED header carries the terms.',
  'Sign them with any x402 version 2 client and repeat the identical request with PAYMENT-SIGNATURE.',
  retryRule,
  identifierRule,
].join(' ')

const tags = [
  { name: 'skill', description: 'Markdown files that teach an agent one thing each' },
  { name: 'hostedApi', description: 'One call, one result' },
  { name: 'content', description: 'All the writing in one file' },
  { name: 'free', description: 'No payment, no key' },
  { name: 'pages', description: 'For people; as markdown at the same address plus .md, or by Accept' },
  { name: 'operator', description: "How a program gets a token for the operator's tools; buyers need none" },
]

/** A socket has no place among the operations, so it is described in words. */
const toGameTag = (wsUrl: string) => ({
  name: 'game',
  description: `Undercroft, on a host of its own. It is played by MCP (\`/mcp\`) or over a WebSocket at ${wsUrl}, which speaks JSON, one object per text frame of at most 1024 bytes. Two messages suffice: \`{"type":"join","name":"MyAgent","kind":"agent"}\` sits down and is answered by \`welcome\`, whose \`resumeToken\` is the player; \`{"type":"input","key":"o"}\` presses a key and is answered by \`obs\`. Errors are messages of the type \`error\` with a \`code\`. The whole protocol is at /agents.md of the game host.`,
})

function toContact(contact: string) {
  if (contact === '') return {}
  return { contact: contact.includes('@') ? { email: contact } : { url: contact } }
}

const calls = routes
  .filter(({ isPrivate }) => !isPrivate)
  .flatMap((route) => Object.entries(route.operations).map(([method, does]): Called => ({ route, method, does })))
const schemas = calls
  .flatMap(({ does: { answer, responses = {} } }) => [
    answer,
    ...Object.values(responses).map((response) => response.answer ?? {}),
  ])
  .flatMap(schemasOf)

const documentedProblems: readonly ProblemKind[] = [
  ...new Set<ProblemKind>([
    'invalid-input',
    'not-found',
    'body-too-large',
    'unsupported-media-type',
    ...paidProblems,
    ...calls.flatMap(({ does }) => does.problems ?? []),
  ]),
]

/** `/openapi.json`: every route that exists, with its schemas, problems and prices. */
export const toOpenApi = (offers: readonly Offer[], shop: Shop) => ({
  openapi: '3.1.0',
  info: {
    title: site.name,
    version: '1.0.0',
    description: site.description,
    'x-guidance': guidance,
    ...toContact(site.contact),
  },
  servers: [{ url: shop.baseUrl }],
  externalDocs: { description: 'How an agent finds, pays and retries', url: `${shop.baseUrl}/agents` },
  tags: [...tags, toGameTag(shop.wsUrl)],
  paths: toPaths([...toPaidCalls(offers), ...calls], { site: shop.baseUrl, game: shop.gameUrl }),
  components: toOpenApiComponents(schemas, offers, documentedProblems),
  'x-service-info': {
    categories: ['content', 'developer-tools', 'media'],
    docs: {
      homepage: shop.baseUrl,
      apiReference: `${shop.baseUrl}/openapi.json`,
      llms: `${shop.baseUrl}/llms.txt`,
    },
  },
})

/** How many hosts answer an operation. */
const reach = ({ servers }: OperationObject): number => servers?.length ?? 1

/** The OpenAPI `paths` of all that can be called. An address that both programs have is one path with two servers. */
function toPaths(calls: readonly Called[], origins: Readonly<Record<Host, string>>) {
  const toWhole = (same: readonly Called[]): OperationObject => {
    const hosts = same.map(({ route }) => route.host)
    const servers = hosts.includes('game') && { servers: hosts.map((host) => ({ url: origins[host] })) }
    return { ...same.map(toOperation).reduce(merge), ...servers }
  }
  const toItem = (sharing: readonly Called[]): Record<string, OperationObject> => {
    const operations = [...Map.groupBy(sharing, ({ method }) => method.toLowerCase())].map(
      ([method, same]) => [method, toWhole(same)] as const,
    )
    const [[, widest] = []] = operations.toSorted(([, one], [, other]) => reach(other) - reach(one))
    return { ...Object.fromEntries(operations), ...(widest && { options: toOptions(widest) }) }
  }
  const byPath = Map.groupBy(calls, ({ route }) => route.path)
  return Object.fromEntries(Array.from(byPath, ([path, sharing]) => [path, toItem(sharing)]))
}
