import site from '../../../site.config.ts'
import { shop } from '../../config/site-context.ts'
import { skillPath } from '../../discovery/well-known/agent-skills.ts'
import { toSiteAiCatalog } from '../../discovery/well-known/ai-catalog.ts'
import { makeBuyingSkill } from '../../discovery/well-known/buying-skill.ts'
import { prerendered } from '../../endpoints/served.ts'

export const GET = () => {
  const { name } = makeBuyingSkill(shop.baseUrl)
  return prerendered(
    '/.well-known/ai-catalog.json',
    toSiteAiCatalog(shop.baseUrl, site.name, { name, path: skillPath(name) }),
  )
}
