import { shop } from '../config/site-context.ts'
import { getOffers } from '../content/offers.ts'
import { getSkills } from '../content/skills.ts'
import { toSkillsManifest } from '../discovery/skills-manifest.ts'
import { prerendered } from '../endpoints/served.ts'

export const GET = async () => {
  const [offers, skills] = await Promise.all([getOffers(), getSkills()])
  return prerendered('/skills.json', toSkillsManifest(offers, skills, shop))
}
