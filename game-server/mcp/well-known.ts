import { z } from 'zod'
import {
  type FreeSkill,
  skillPath,
  toEarlySkillsIndex,
  toSkillsIndex,
} from '../../src/discovery/well-known/agent-skills.ts'
import { serverCardPaths, toServerCard } from '../../src/discovery/well-known/server-card.ts'
import { get, type Route } from '../../src/http/route.ts'
import type { GameAddresses } from './descriptor.ts'
import { toolServerIdentity } from './tool-server-identity.ts'

const cacheControl = 'public, max-age=300'
const fieldSchema = z.string().min(1)

/** A skill from its file; the two fields that an index repeats are one line each. */
function toFreeSkill(text: string): FreeSkill {
  const read = (field: string): string => {
    const [, value = ''] = new RegExp(`^${field}: (.+)$`, 'm').exec(text) ?? []
    return fieldSchema.parse(value.startsWith('"') ? JSON.parse(value) : value)
  }
  return { name: read('name'), description: read('description'), text }
}

/** What directories look for at fixed addresses: the skill that teaches the game, and the card of its tool server. */
export function makeWellKnownRoutes(skillText: string, { gameUrl }: Pick<GameAddresses, 'gameUrl'>): Route[] {
  const skill = toFreeSkill(skillText)
  const card = toServerCard({ ...toolServerIdentity, origin: gameUrl, path: '/mcp' })
  const json = (path: Route['path'], document: object): Route =>
    get(path, () => Response.json(document, { headers: { 'cache-control': cacheControl } }))
  const headers = { 'content-type': 'text/markdown; charset=utf-8', 'cache-control': cacheControl }
  const file = (path: Route['path']): Route => get(path, () => new Response(skill.text, { headers }))
  return [
    ...serverCardPaths.map((path) => json(path, card)),
    json('/.well-known/agent-skills/index.json', toSkillsIndex([skill], gameUrl)),
    json('/.well-known/skills/index.json', toEarlySkillsIndex([skill])),
    file(skillPath(skill.name)),
    file(`/.well-known/skills/${skill.name}/SKILL.md`),
  ]
}
