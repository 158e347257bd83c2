import { prerenderedJson } from '../../../discovery/prerendered-json.ts'
import { toEarlySkillsIndex } from '../../../discovery/well-known/agent-skills.ts'
import { makeBuyingSkill } from '../../../discovery/well-known/buying-skill.ts'
import { shop } from '../../../site-context.ts'

export const GET = () => prerenderedJson(toEarlySkillsIndex([makeBuyingSkill(shop.baseUrl)]))
