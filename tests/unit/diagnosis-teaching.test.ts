import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { SurfacePath } from '../../functions/session-status/probe/surface-paths.ts'
import { diagnose } from '../../functions/session-status/report/diagnose.ts'
import { flawless, frontPage, toProbes } from '../support/example-site.ts'

const skill = readFileSync('content/skills/agent-ready-site/SKILL.md', 'utf8')

/** The example of a section of the skill, with the address of the diagnosed site. */
function exampleOf(heading: string): string {
  const section = skill.slice(skill.indexOf(`\n## ${heading}`))
  const [, code = ''] = /```\w+\n(.*?)```/s.exec(section) ?? []
  return code.replaceAll('shop.example', 'example.com')
}

const findingsOf = (path: SurfacePath, body: string): string[] =>
  diagnose({
    siteUrl: 'https://example.com',
    probedAt: new Date('2026-11-20T09:00:00Z'),
    probes: toProbes({ ...flawless, [path]: { ...Object(flawless[path]), body } }),
    skillUrls: new Map(),
  }).findings.map(({ id }) => id)

it.each([
  ['1. robots.txt', '/robots.txt'],
  ['2. Sitemap', '/sitemap.xml'],
  ['5. llms.txt', '/llms.txt'],
] as const)('finds nothing wrong with what our skill shows: %s', (heading, path) => {
  const example = exampleOf(heading)
  expect(example.length).toBeGreaterThan(100)
  expect(findingsOf(path, example)).toEqual([])
})

it('finds no fault in the structured data of our skill', () => {
  const data = exampleOf('6. JSON-LD')
  expect(data).toContain('application/ld+json')
  const pieces = {
    title: '<title>A small press</title>',
    description: '<meta name="description" content="Essays.">',
    feed: '<link rel="alternate" type="application/rss+xml" href="/rss.xml">',
    markdown: '',
  }
  expect(findingsOf('/', frontPage({ ...pieces, data }))).toEqual([])
})

it('finds the contradiction that our skill warns of in its own example', () => {
  const contradictory = exampleOf('1. robots.txt').replace(
    'Content-Signal: ai-train=no\n',
    'Content-Signal: search=yes\n',
  )
  expect(findingsOf('/robots.txt', contradictory)).toEqual(['robots-contradicts'])
})

it('finds a robots.txt group that does not repeat the rules for everybody', () => {
  const example = exampleOf('1. robots.txt')
  const forgetful =
    example.slice(0, example.lastIndexOf('Allow: /')) +
    example.slice(example.lastIndexOf('Allow: /')).replace('Disallow: /admin/\n', '')
  expect(findingsOf('/robots.txt', forgetful)).toEqual(['robots-forgets'])
})
