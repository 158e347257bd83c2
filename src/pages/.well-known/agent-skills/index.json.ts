import { prerenderedJson } from '../../../discovery/prerendered-json.ts'
import { toSkillsIndex } from '../../../discovery/well-known/agent-skills.ts'
import { makeBuyingSkill } from '../../../discovery/well-known/buying-skill.ts'
import { shop } from '../../../site-context.ts'

export const GET = () => prerenderedJson(toSkillsIndex([makeBuyingSkill(shop.baseUrl)], shop.baseUrl))
