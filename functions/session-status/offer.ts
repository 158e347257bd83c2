import { z } from 'zod'
import { usd } from '../../src/money.ts'
import { defineOffer } from '../offer.ts'
import { PublicHttpsUrl } from '../public-https-url.ts'

/** Which site; a path is accepted, and its origin is what is looked at. */
const SessionStatusRequest = z.strictObject({
  siteUrl: PublicHttpsUrl.describe('Address of the site to look at'),
})

const sample = {
  siteUrl: 'https://example.com',
  probedAt: '2026-11-20T09:00:00.000Z',
  surfaces: [
    { path: '/', url: 'https://example.com/', status: 200, ok: true },
    { path: '/llms.txt', url: 'https://example.com/llms.txt', status: 404, ok: false },
    '…',
  ],
}

/** What a site shows to agents, and what is missing. */
export const sessionStatusOffer = defineOffer({
  id: 'session-status',
  slug: 'session-status',
  lane: 'hostedApi',
  title: 'See a site as an agent does',
  excerpt:
    'Probes the twelve paths that agents and editors look for (feeds, robots, llms.txt, catalog, admin, MCP) and says what to mend.',
  method: 'POST',
  path: '/api/x402/cms/session-status',
  mimeType: 'application/json',
  price: usd('0.05'),
  input: SessionStatusRequest,
  example: { siteUrl: 'https://example.com' },
  workSeconds: 60,
  concurrency: 4,
  delivers: [
    'One JSON document: a summary, the twelve surfaces with status and timing, findings, and recommendations.',
    'Evidence for each finding, so that it can be checked by hand.',
    'A diagnosis also when the site is down; no charge when its name does not resolve.',
  ],
  fileName: 'diagnosis.json',
  sample: JSON.stringify(sample, null, 2),
})
