import { z } from 'zod'
import { usd } from '../../src/core/money.ts'
import { PublicHttpsUrl } from '../../src/fetching/public-https-url.ts'
import { defineOffer } from '../../src/offers/offer.ts'
import { diagnosisSchema } from './diagnosis-schema.ts'
import report from './sample-report.json' with { type: 'json' }

/** The site to look at. Of an address with a path, only the origin is used. */
const SessionStatusRequest = z.strictObject({
  siteUrl: PublicHttpsUrl.describe('The site to look at'),
})

/** The beginning of each part of a real report. */
const sample = {
  ...report,
  summary: { text: report.summary.text, score: report.summary.score, level: report.summary.level, '…': '…' },
  surfaces: [...report.surfaces.slice(0, 1), '…'],
  findings: [...report.findings.slice(0, 1), '…'],
  recommendations: [...report.recommendations.slice(0, 1), '…'],
}

/** What a site shows to agents, and what is missing. */
export default defineOffer({
  slug: 'session-status',
  tool: 'check_site_for_agents',
  lane: 'hostedApi',
  position: 5,
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
  answer: { name: 'Diagnosis', schema: diagnosisSchema },
  fileName: 'diagnosis.json',
  sample: JSON.stringify(sample, null, 2),
})
