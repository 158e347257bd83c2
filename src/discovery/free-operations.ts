import type { ProblemKind } from '../problem-kinds.ts'
import { toProblemResponses } from './problem-responses.ts'

/** What a free document may answer besides 200. */
export const freeProblems: readonly ProblemKind[] = ['rate-limited', 'internal-error']

interface Free {
  readonly id: string
  readonly summary: string
  readonly answer: string
  readonly content: Record<string, { schema: object }>
  readonly parameters?: readonly object[]
  readonly problems?: readonly ProblemKind[]
}

const json = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } })
const text = { 'text/plain': { schema: { type: 'string' } } }
const health = { 'application/json': { schema: { type: 'object' } } }
const inPath = (name: string, description: string) => [
  { name, in: 'path', required: true, description, schema: { type: 'string' } },
]

const routes: Readonly<Record<string, Free>> = {
  '/api/catalog.json': {
    id: 'get-catalog',
    summary: 'Everything for sale',
    answer: 'The master catalog: products by lane, prices, and pointers to every other document',
    content: json('Catalog'),
  },
  '/skills.json': {
    id: 'get-skills-manifest',
    summary: 'The skills alone',
    answer: 'The skills manifest',
    content: json('SkillsManifest'),
  },
  '/skills/{slug}/install': {
    id: 'get-install-script',
    summary: 'A shell script that fetches a paid skill and keeps it',
    answer: 'The script; read it before you run it',
    content: text,
    parameters: inPath('slug', 'A slug from the manifest'),
    problems: ['not-found'],
  },
  '/api/stats.json': {
    id: 'get-statistics',
    summary: 'What was sold',
    answer: 'Activity statistics, at most five minutes old',
    content: json('Statistics'),
  },
  '/api/receipts/{id}.json': {
    id: 'get-receipt',
    summary: 'The receipt of one sale',
    answer: 'The receipt; its page for people is /receipts/{id}',
    content: json('Receipt'),
    parameters: inPath('id', 'From the X-Receipt-Id header of the paid answer'),
    problems: ['not-found'],
  },
  '/openapi.json': {
    id: 'get-openapi',
    summary: 'This document',
    answer: 'OpenAPI 3.1',
    content: { 'application/json': { schema: { type: 'object' } } },
  },
  '/healthz': { id: 'get-liveness', summary: 'Whether the process lives', answer: 'It lives', content: health },
  '/readyz': {
    id: 'get-readiness',
    summary: 'Whether the shop can sell',
    answer: 'The ledger is writable and the facilitator is known',
    content: health,
    problems: ['busy'],
  },
}

const toOperation = ({ id, summary, answer, content, parameters, problems = [] }: Free) => ({
  get: {
    operationId: id,
    tags: ['free'],
    summary,
    security: [],
    ...(parameters && { parameters }),
    responses: { 200: { description: answer, content }, ...toProblemResponses([...problems, ...freeProblems]) },
  },
})

/** The OpenAPI `paths` of everything that needs no payment. */
export const toFreePaths = () =>
  Object.fromEntries(Object.entries(routes).map(([path, route]) => [path, toOperation(route)]))
