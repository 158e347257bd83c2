import { prerenderedJson } from '../discovery/prerendered-json.ts'
import { toSkillsManifest } from '../discovery/skills-manifest.ts'
import { getOffers } from '../publishing/skills.ts'
import { shop } from '../site-context.ts'

export const GET = async () => prerenderedJson(toSkillsManifest(await getOffers(), shop))
