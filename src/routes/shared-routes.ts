import { z } from 'zod'
import { documents } from '../core/json-schema.ts'
import { testWalletPath } from '../core/test-wallet-path.ts'
import { type builtJson, program, programPost } from './declare.ts'
import { json } from './oauth-requests.ts'
import type { Cache } from './route.ts'

/** `/healthz`. */
const livenessSchema = z
  .object({ ok: z.literal(true) })
  .register(documents, { name: 'Liveness', example: { ok: true } })

/** `/readyz`: the overall state and that of each part. */
const readinessSchema = z
  .object({
    ready: z.boolean(),
    ledger: z.boolean(),
    facilitator: z.boolean(),
    settling: z.boolean(),
    gas: z.object({ settlementsLeft: z.number(), isLow: z.boolean() }).optional(),
    findings: z
      .array(
        z.object({
          name: z.string(),
          is: z.enum(['ok', 'warning', 'failure']),
          sentence: z.string(),
          advice: z.string().optional(),
        }),
      )
      .describe('Each part that a sale needs, and how it was found; it cannot sell while one is a failure'),
  })
  .register(documents, {
    name: 'Readiness',
    example: {
      ready: true,
      ledger: true,
      facilitator: true,
      settling: true,
      findings: [{ name: 'ledger', is: 'ok', sentence: 'The ledger takes writes.' }],
    },
  })

interface Words {
  readonly sells: string
  readonly paid: string
  /** How long the skills may be cached. */
  readonly skills: Cache
}

/** The routes that both hosts have, most of them for directories and monitors. */
export const onBoth = (document: typeof builtJson, { sells, paid, skills }: Words) => {
  const card = json('name', 'version', 'serverInfo', 'remotes')
  const skillIndex = json('skills')
  const serviceMeta = { relation: 'service-meta' } as const
  const inIndex = { from: 'From the index', cache: skills }
  return {
    '/healthz': program('get-liveness', livenessSchema, 'Liveness: whether the process lives'),
    '/readyz': program('get-readiness', readinessSchema, `Readiness: whether ${sells} can sell`, {
      responses: { 503: { description: 'It cannot sell now, and says why', answer: readinessSchema } },
      relation: 'status',
    }),
    '/metrics': program('get-metrics', 'text/plain', 'Metrics: for the operator, as Prometheus reads them', {
      isPrivate: true,
    }),
    '/api/mirror': program('look-in-mirror', 'application/json', 'Mirror: what of a request arrived, for the doctor', {
      isPrivate: true,
    }),
    '/.well-known/did.json': program(
      'get-receipt-keys',
      json('id', 'verificationMethod', 'assertionMethod'),
      'Keys of receipts: what receipts are signed with, now and before (did:web)',
      { cache: 'five minutes', relation: 'service-meta' },
    ),
    [testWalletPath]: programPost('sign-in-sandbox', 'text/plain', 'Test wallet: signs for pages, in a sandbox only', {
      isPrivate: true,
    }),
    '/.well-known/x402': document(
      'get-paid-addresses',
      json('version', 'resources', 'items'),
      `Paid addresses: ${paid}`,
      serviceMeta,
    ),
    '/.well-known/mcp/server-card.json': document(
      'get-server-card',
      card,
      'Server card: the tool server, as directories read it',
      serviceMeta,
    ),
    '/.well-known/mcp/server-cards.json': document('get-server-cards', card, 'Server card, for other readers'),
    '/.well-known/mcp.json': document('get-mcp-card', card, 'Server card, for earlier readers'),
    '/.well-known/agent-skills/{name}/SKILL.md': document(
      'get-free-skill',
      'text/markdown',
      'Free skill: the file that an agent loads',
      inIndex,
    ),
    '/.well-known/skills/index.json': document('get-free-skills-early', skillIndex, 'Free skills, version 0.1'),
    '/.well-known/skills/{name}/SKILL.md': document(
      'get-free-skill-early',
      'text/markdown',
      'Free skill, where readers of version 0.1 look',
      inIndex,
    ),
  }
}
