import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { surfacePaths } from '../../functions/session-status/probe/surface-paths.ts'
import { diagnose } from '../../functions/session-status/report/diagnose.ts'
import { anyCharacter } from '../support/any-text.ts'
import { cpuMsOf, usualCpuMs } from '../support/cpu-ms.ts'
import { type Answers, all, toProbes } from '../support/example-site.ts'
import { figure, limitMs, seed } from '../support/figures.ts'

const look = (answers: Answers) =>
  diagnose({
    siteUrl: 'https://example.com',
    probedAt: new Date(0),
    probes: toProbes(answers),
    skillUrls: new Map(),
  })

/** How many characters are read of each path. */
const length = 600_000
const floods: readonly (readonly [what: string, body: string])[] = [
  ['<', '<'.repeat(length)],
  ['<a', '<a '.repeat(length / 3)],
  ['<div>', `<html>${'<div>'.repeat(length / 5)}`],
  ['nested SVG', `<html>${'<svg><foreignObject>'.repeat(length / 20)}`],
  ['<!--', `<html>${'<!--'.repeat(length / 4)}`],
  ['unclosed quotes', `<html>${'<a b="'.repeat(length / 6)}`],
  ['unclosed scripts', `<html>${'<script>'.repeat(length / 8)}`],
  ['unclosed titles', `<html>${'<title>'.repeat(length / 7)}`],
  ['attributes', `<html><meta ${'a=b '.repeat(length / 4)}>`],
  ['spaces in a tag', `<html><meta ${' '.repeat(length)}`],
  ['entities', `<html>${'&amp;'.repeat(length / 5)}`],
  ['ampersands', `<?xml version="1.0"?><rss>${'&'.repeat(length)}`],
  ['closed elements', `<?xml version="1.0"?><rss>${'<a/>'.repeat(length / 4)}</rss>`],
  ['nested elements', `<?xml version="1.0"?>${'<rss>'.repeat(length / 5)}`],
  ['children of an endless name', `<?xml version="1.0"?><${'a'.repeat(length / 2)}>${'<a/>'.repeat(length / 8)}`],
  [
    'XML attributes',
    `<?xml version="1.0"?><rss ${Array.from({ length: length / 12 }, (_, at) => `a${at}="1"`).join(' ')}>`,
  ],
  ['entities in entities', `<!DOCTYPE rss [${'<!ENTITY a "&a;&a;">'.repeat(length / 20)}]><rss>&a;</rss>`],
  ['CDATA', `<?xml version="1.0"?><rss>${'<![CDATA['.repeat(length / 9)}`],
  [
    'items',
    `<?xml version="1.0"?><rss><channel>${'<item><title>x</title></item>'.repeat(length / 30)}</channel></rss>`,
  ],
  ['brackets', '['.repeat(length)],
  ['nested JSON', `${'{"items":['.repeat(length / 10)}`],
  ['user agents', 'User-agent: *\n'.repeat(length / 14)],
  ['disallows', `User-agent: *\n${'Disallow: /\n'.repeat(length / 12)}`],
  ['links', `# x\n${'[a]('.repeat(length / 4)}`],
  ['open links', `# x\n${'['.repeat(length)}`],
  ['words of a login', `<html>${'log in '.repeat(length / 7)}`],
  ['zeros', '\0'.repeat(length)],
  ['digits', `<html>${'1'.repeat(length)}`],
]

describe('a page that is made to be slow', () => {
  const allowedMs = 1000
  it.each(floods)('%s repeated many times costs little CPU time', async (_, body) => {
    const site = all({ type: 'text/html', body })
    // The time of all twelve paths together.
    const ms = await usualCpuMs(allowedMs, () => cpuMsOf(() => expect(look(site).surfaces).toHaveLength(12)))
    expect(ms).toBeLessThan(allowedMs)
  })
})

describe('a site of random answers', () => {
  const pieces = fc.constantFrom(
    ...['<html>', '</html>', '<?xml?>', '<rss>', '<channel>', '<item>', '</item>', '<urlset>', '<loc>', '{', '}', '['],
    ...[']', '"items":', '"', ':', ',', 'User-agent: *', '\n', 'Disallow: /', '# ', '> ', '&amp;', '&', '<!--', '-->'],
    ...['<title>', '</title>', '<meta name=', 'content=', '__proto__', 'constructor', '\u202e', '\0', '\u001b[2J'],
  )
  const body = fc.array(fc.oneof(pieces, fc.string({ unit: anyCharacter, maxLength: 6 })), { maxLength: 30 })
  const answer = fc.record({
    status: fc.constantFrom(200, 200, 200, 204, 301, 400, 401, 402, 403, 404, 429, 500, 503),
    type: fc.constantFrom(
      'text/html',
      'application/xml',
      'application/json',
      'text/plain',
      'x',
      'text/html; charset=utf-16',
    ),
    body: body.map((parts) => parts.join('')),
  })
  const answers = fc.record(
    Object.fromEntries(surfacePaths.map((path) => [path, fc.oneof(answer, fc.constant('timeout' as const))])),
  )

  it('always gets a report, with a recommendation for every finding', {
    timeout: limitMs(600_000, 600_000),
  }, () => {
    fc.assert(
      fc.property(answers, (random) => {
        const report = look({ ...all('timeout'), ...random })
        expect(report.surfaces.map(({ path }) => path)).toEqual(surfacePaths)
        expect(report.summary.score).toBeGreaterThanOrEqual(0)
        expect(report.summary.score).toBeLessThanOrEqual(100)
        const mended = new Set(report.recommendations.flatMap(({ findings }) => findings))
        expect(report.findings.every(({ id }) => mended.has(id))).toBe(true)
        for (const { evidence } of report.findings) {
          expect(evidence.bodyPreview.length).toBeLessThanOrEqual(400)
          expect(evidence.bodyPreview).not.toMatch(/[\p{Cc}\p{Cf}]/u)
        }
      }),
      { numRuns: figure(1000, 100_000), ...seed },
    )
  })
})
