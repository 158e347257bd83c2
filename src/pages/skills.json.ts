import { shop } from '../config/site-context.ts'
import { getOffers } from '../content/offers.ts'
import { toSkillsManifest } from '../discovery/skills-manifest.ts'
import { prerendered } from '../endpoints/served.ts'

export const GET = async () => prerendered('/skills.json', toSkillsManifest(await getOffers(), shop))
