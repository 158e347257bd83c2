import { usd } from '../../src/money.ts'
import type { Skill } from '../../src/publishing/skill.ts'
import { defineOffer, NoInput, type Offer } from '../offer.ts'

/** One downloadable skill: a markdown file that teaches an agent something, in the Agent Skills format. */
export const skillOffer = (skill: Skill): Offer<typeof NoInput> =>
  defineOffer({
    id: `skill/${skill.slug}`,
    slug: skill.slug,
    lane: 'skill',
    title: skill.title,
    excerpt: skill.excerpt,
    method: 'GET',
    path: `/skills/${skill.slug}/raw`,
    routeTemplate: '/skills/:slug/raw',
    mimeType: 'text/plain',
    price: usd('0.10'),
    input: NoInput,
    example: {},
    concurrency: 32,
    delivers: [
      `One SKILL.md of ${skill.bytes.toLocaleString('en')} bytes, version ${skill.version}, word for word as published.`,
      'The Agent Skills format, which Claude, Cursor, Codex and other agents load from a folder.',
      'Plain instructions and examples that you can read before an agent does; nothing in it runs by itself.',
    ],
    fileName: 'SKILL.md',
    sample: skill.preview,
    publishedAt: skill.publishedAt,
  })
