import type { Diagnosis } from '../diagnosis-schema.ts'
import { readAdmin } from './read-access.ts'
import { readHtml } from './read-html.ts'
import { findAnswer, type Site } from './seen.ts'
import { toPrintable } from './to-printable.ts'

/** Strings that each system leaves in all its pages. */
const traces: readonly (readonly [product: string, trace: RegExp])[] = [
  ['WordPress', /\/wp-(?:content|includes|json)\//],
  ['Ghost', /\/ghost\/(?:api|content)\/|data-ghost/],
  ['Drupal', /\/sites\/default\/files\/|data-drupal/],
  ['Shopify', /cdn\.shopify\.com/],
  ['Squarespace', /static1?\.squarespace\.com/],
  ['Wix', /static\.wixstatic\.com/],
  ['Webflow', /data-wf-(?:page|site)=/],
  ['Next.js', /\/_next\/static\//],
  ['Astro', /\/_astro\//],
]

/** The software that made the site: by its generator tag, by such strings, or only that there is an admin interface. */
export function findCms(site: Site): Diagnosis['summary']['cms'] {
  const front = findAnswer(site.get('/'))
  const generator = front && readHtml(front.text).metas.get('generator')
  if (generator) return { detected: true, product: toPrintable(generator, 60), confidence: 'high' }
  const trace = front && traces.find(([, pattern]) => pattern.test(front.text))
  if (trace) return { detected: true, product: trace[0], confidence: 'medium' }
  const admin = readAdmin(site.get('/_cms/admin/'))
  if (admin === 'login' || admin === 'open') return { detected: true, product: null, confidence: 'low' }
  return { detected: false, product: null, confidence: 'none' }
}
