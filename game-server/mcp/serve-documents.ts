import { readFileSync } from 'node:fs'
import { z } from 'zod'
import {
  type FreeSkill,
  skillPath,
  toEarlySkillsIndex,
  toSkillsIndex,
} from '../../src/discovery/well-known/agent-skills.ts'
import { serverCardPaths, toServerCard } from '../../src/discovery/well-known/server-card.ts'
import { get, type Route } from '../../src/http/route.ts'
import { bundleFile } from './bundle-file.ts'
import { type EntryPoint, type GameAddresses, toDescriptor } from './descriptor.ts'
import { toolServerIdentity } from './tool-server-identity.ts'

const cacheControl = 'public, max-age=300'

/** A text for agents, with the URLs of this installation filled in. */
function readDocument(file: string, { gameUrl, wsUrl }: GameAddresses): string {
  const text = readFileSync(new URL(`./documents/${file}`, import.meta.url), 'utf8')
  return text.replaceAll('{game_url}', gameUrl).replaceAll('{ws_url}', wsUrl).replaceAll('{bundle}', bundleFile)
}

function textRoute(path: Route['path'], text: string, contentType: string): Route {
  const headers = { 'content-type': `${contentType}; charset=utf-8`, 'cache-control': cacheControl }
  return get(path, () => new Response(text, { headers }))
}

function descriptorRoute(path: Route['path'], entryPoint: EntryPoint, addresses: GameAddresses): Route {
  const descriptor = toDescriptor(entryPoint, addresses)
  return get(path, () => Response.json(descriptor, { headers: { 'cache-control': cacheControl } }))
}

/** The routes of documents that an agent reads before it plays. */
export function makeDocumentRoutes(addresses: GameAddresses): Route[] {
  const skill = readDocument('SKILL.md', addresses)
  return [
    descriptorRoute('/api/agent', 'agent', addresses),
    descriptorRoute('/api/skill', 'skill', addresses),
    textRoute('/skill', skill, 'text/markdown'),
    textRoute('/agents.md', readDocument('agents.md', addresses), 'text/markdown'),
    textRoute('/llms.txt', readDocument('llms.txt', addresses), 'text/plain'),
    ...makeWellKnownRoutes(skill, addresses),
  ]
}

const fieldSchema = z.string().min(1)

/** Reads a skill from its file; `name` and `description`, which indexes repeat, must be one line each. */
function toFreeSkill(text: string): FreeSkill {
  const read = (field: string): string => {
    const [, value = ''] = new RegExp(`^${field}: (.+)$`, 'm').exec(text) ?? []
    return fieldSchema.parse(value.startsWith('"') ? JSON.parse(value) : value)
  }
  return { name: read('name'), description: read('description'), text }
}

/** Documents that directories look for at well-known paths: the skill that teaches the game, and the server card. */
function makeWellKnownRoutes(skillText: string, { gameUrl }: Pick<GameAddresses, 'gameUrl'>): Route[] {
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
