import site from '../../site.config.ts'
import type { Shop } from '../config/shop.ts'
import { identifierRule, retryRule } from '../core/buying-rules.ts'
import { readContact } from '../core/contact.ts'
import type { ProblemKind } from '../core/problem-kinds.ts'
import type { Offer } from '../offers/offer.ts'
import type { Host } from '../routes/route.ts'
import { routes } from '../routes/routes.ts'
import { schemasOf } from './answer-content.ts'
import { toOpenApiComponents } from './openapi-components.ts'
import { type OperationObject, toOptions } from './operation-object.ts'
import { toPaidCalls } from './paid-calls.ts'
import { type Called, paidProblems, toOperation } from './route-operation.ts'

const guidance = [
  'GET /api/catalog.json lists everything for sale. A paid route answers 402 until it is paid; its PAYMENT-REQUIRED header carries the terms.',
  'Sign them with any x402 version 2 client and repeat the identical request with PAYMENT-SIGNATURE.',
  retryRule,
  identifierRule,
].join(' ')
const gameGuidance = [
  'Playing is free. POST /mcp is the MCP server: call dungeon_join with a name, then dungeon_look and dungeon_action.',
  'POST /api/store/unlock answers 402 until it is paid by x402 version 2; nothing that is sold there helps a player.',
].join(' ')

const tags = [
  { name: 'skill', description: 'Markdown files that teach an agent one thing each' },
  { name: 'hostedApi', description: 'One call, one result' },
  { name: 'content', description: 'All the writing in one file' },
  { name: 'free', description: 'No payment, no key' },
  { name: 'pages', description: 'For people; as markdown at the same address plus .md, or by Accept' },
  { name: 'operator', description: "How a program gets a token for the operator's tools; buyers need none" },
]

/** OpenAPI cannot describe a WebSocket, so it is described in words. */
const toGameTag = (wsUrl: string) => ({
  name: 'game',
  description: `Undercroft. It is played by MCP (\`/mcp\`) or over a WebSocket at ${wsUrl}, which speaks JSON, one object per text frame of at most 1024 bytes. Two messages suffice: \`{"type":"join","name":"MyAgent","kind":"agent"}\` sits down and is answered by \`welcome\`, whose \`resumeToken\` is the player; \`{"type":"input","key":"o"}\` presses a key and is answered by \`obs\`. Errors are messages of the type \`error\` with a \`code\`. The whole protocol is at /agents.md.`,
})

function toContact(baseUrl: string) {
  const named = readContact(site.contact)
  if (!named) return {}
  return { contact: named.is === 'email' ? { email: named.email } : { url: new URL(named.page, baseUrl).href } }
}

/** The operations of a host, without products, and the schemas of their answers. */
function readRoutes(host: Host) {
  const calls = routes
    .filter((route) => route.host === host && !route.isPrivate)
    .flatMap((route) => Object.entries(route.operations).map(([method, does]): Called => ({ route, method, does })))
  const schemas = calls
    .flatMap(({ does: { answer, responses = {} } }) => [
      answer,
      ...Object.values(responses).map((response) => response.answer ?? {}),
    ])
    .flatMap(schemasOf)
  return { calls, schemas }
}

/** The problems that the components describe; they include those of all operations. */
const documentedProblems = (calls: readonly Called[]): readonly ProblemKind[] => [
  ...new Set<ProblemKind>([
    'invalid-input',
    'not-found',
    'body-too-large',
    'unsupported-media-type',
    ...paidProblems,
    ...calls.flatMap(({ does }) => does.problems ?? []),
  ]),
]

const version = '1.0.0'

/** `/openapi.json` of the site: all its public routes, with schemas, problems and prices. */
export function toOpenApi(offers: readonly Offer[], shop: Shop) {
  const { calls, schemas } = readRoutes('site')
  return {
    openapi: '3.1.0',
    info: {
      title: site.name,
      version,
      description: `${site.description} The game beside it is on a host of its own and described at ${shop.gameUrl}/openapi.json.`,
      'x-guidance': guidance,
      ...toContact(shop.baseUrl),
    },
    servers: [{ url: shop.baseUrl }],
    externalDocs: { description: 'How an agent finds, pays and retries', url: `${shop.baseUrl}/agents` },
    tags,
    paths: toPaths([...toPaidCalls(offers), ...calls]),
    components: toOpenApiComponents(schemas, offers, documentedProblems(calls)),
    'x-service-info': {
      categories: ['content', 'developer-tools', 'media'],
      docs: {
        homepage: shop.baseUrl,
        apiReference: `${shop.baseUrl}/openapi.json`,
        llms: `${shop.baseUrl}/llms.txt`,
      },
    },
  }
}

/** `/openapi.json` of the game host: all its public routes, and its WebSocket in words. */
export function toGameOpenApi({ baseUrl, gameUrl, wsUrl }: Pick<Shop, 'baseUrl' | 'gameUrl' | 'wsUrl'>) {
  const { calls, schemas } = readRoutes('game')
  return {
    openapi: '3.1.0',
    info: {
      title: 'Undercroft',
      version,
      description: `A dungeon that people and programs play together; playing is free. Receipts and errors are explained at ${baseUrl}, whose own interface is described at ${baseUrl}/openapi.json.`,
      'x-guidance': gameGuidance,
      ...toContact(baseUrl),
    },
    servers: [{ url: gameUrl }],
    externalDocs: { description: 'The whole protocol', url: `${gameUrl}/agents.md` },
    tags: [toGameTag(wsUrl)],
    paths: toPaths(calls),
    components: toOpenApiComponents(schemas, [], documentedProblems(calls)),
    'x-service-info': {
      categories: ['games'],
      docs: { homepage: gameUrl, apiReference: `${gameUrl}/openapi.json`, llms: `${gameUrl}/llms.txt` },
    },
  }
}

/** The OpenAPI `paths` of all operations of a host. */
function toPaths(calls: readonly Called[]) {
  const toItem = (sharing: readonly Called[]): Record<string, OperationObject> => {
    const operations = sharing.map((call) => [call.method.toLowerCase(), toOperation(call)] as const)
    const [[, first] = []] = operations
    return { ...Object.fromEntries(operations), ...(first && { options: toOptions(first) }) }
  }
  const byPath = Map.groupBy(calls, ({ route }) => route.path)
  return Object.fromEntries(Array.from(byPath, ([path, sharing]) => [path, toItem(sharing)]))
}
