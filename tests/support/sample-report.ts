import type { Diagnosis } from '../../functions/session-status/diagnosis-schema.ts'
import { diagnose } from '../../functions/session-status/report/diagnose.ts'
import type { Answer } from './example-site.ts'
import { type Answers, flawless, frontPage, gone, toProbes } from './example-site.ts'

const html = 'text/html; charset=utf-8'
const notThere: Answer = { ...gone, type: html, durationMs: 34 }

/** A typical site: a good writer, a feed broken by a title, and an exposed admin page. */
const answers: Answers = {
  ...flawless,
  '/': {
    type: html,
    headers: { 'content-encoding': 'br', etag: '"5f2a"', server: 'nginx' },
    body: frontPage(
      {
        title: '<title>Notes from the harbour</title>',
        description: '<meta name="generator" content="Hugo 0.151.0">',
        feed: '<link rel="alternate" type="application/rss+xml" href="/rss.xml">',
        markdown: '',
        data: '',
      },
      { text: 'Tides, ropes and the people who know them, written down every other week. '.repeat(30) },
    ),
    durationMs: 148,
  },
  '/sitemap.xml': {
    type: 'application/xml',
    body: '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc></url><url><loc>https://example.com/knots/</loc></url></urlset>',
    durationMs: 61,
  },
  '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow: /_cms/\n', durationMs: 40 },
  '/rss.xml': {
    type: 'application/rss+xml',
    body: '<?xml version="1.0"?><rss version="2.0"><channel><title>Notes from the harbour</title><item><title>Rope & knots</title><link>https://example.com/knots/</link></item></channel></rss>',
    durationMs: 57,
  },
  '/feed.json': notThere,
  '/llms.txt': notThere,
  '/llms-full.txt': notThere,
  '/skills.json': notThere,
  '/api/catalog.json': notThere,
  '/_cms/admin/': {
    type: html,
    headers: { server: 'nginx' },
    body: '<!doctype html><html lang="en"><head><title>Dashboard</title></head><body><nav>Posts, Media library, Users, Settings</nav><a href="/_cms/logout">Log out</a></body></html>',
    durationMs: 212,
  },
  '/_cms/api/mcp': notThere,
  '/.well-known/oauth-protected-resource': notThere,
}

/** The diagnosis report that the shop shows as a sample. */
export const makeSampleReport = (): Diagnosis =>
  diagnose({
    siteUrl: 'https://example.com',
    probedAt: new Date('2026-11-20T09:00:00Z'),
    probes: toProbes(answers),
    skillUrls: new Map(
      ['agent-ready-site', 'feed-doctor'].map((slug) => [slug, `https://farthing.example/skills/${slug}`]),
    ),
  })
