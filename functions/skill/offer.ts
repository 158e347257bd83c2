import { usd } from '../../src/core/money.ts'
import { defineOffer, type Family, NoInput } from '../../src/offers/offer.ts'
import type { OfferFamily } from '../../src/offers/products.ts'
import type { Skill } from '../../src/offers/skill.ts'

const family: Family = {
  id: 'get-skill',
  title: 'Get the markdown of a skill',
  delivers: 'The skill, word for word as published',
  routeTemplate: '/skills/:slug/raw',
}

const toOffer = (skill: Skill) =>
  defineOffer({
    id: `skill/${skill.slug}`,
    slug: skill.slug,
    lane: 'skill',
    title: skill.title,
    excerpt: skill.excerpt,
    method: 'GET',
    path: `/skills/${skill.slug}/raw`,
    family,
    mimeType: 'text/plain',
    price: usd('0.10'),
    input: NoInput,
    example: {},
    // The work is tiny, but each request occupies a slot while its payment settles on the chain, so many slots are
    // needed.
    concurrency: 64,
    delivers: [
      `One SKILL.md of ${skill.bytes.toLocaleString('en')} bytes, version ${skill.version}, word for word as published.`,
      'Installed by its script, its programs lie beside it in scripts/, so that reading it takes an agent at most 5,000 tokens.',
      'The Agent Skills format, which Claude, Cursor, Codex and other agents load from a folder.',
      'Plain instructions and examples that you can read before an agent does; nothing in it runs by itself.',
    ],
    fileName: 'SKILL.md',
    sample: skill.preview,
    publishedAt: skill.publishedAt,
    version: skill.version,
    ...(skill.changes !== undefined && { changes: skill.changes }),
  })

/** The downloadable skills: each a markdown file that teaches an agent something, in the Agent Skills format. */
const skills: OfferFamily = { ...family, offersOf: (published) => published.map(toOffer) }
export default skills
