import { shop } from '../../../config/site-context.ts'
import { toSkillsIndex } from '../../../discovery/well-known/agent-skills.ts'
import { makeBuyingSkill } from '../../../discovery/well-known/buying-skill.ts'
import { prerendered } from '../../../endpoints/served.ts'

export const GET = () =>
  prerendered('/.well-known/agent-skills/index.json', toSkillsIndex([makeBuyingSkill(shop.baseUrl)], shop.baseUrl))
