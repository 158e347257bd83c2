import { readFileSync } from 'node:fs'
import { get, type Route } from '../../src/http/route.ts'
import { bundleFile } from './bundle-file.ts'
import { type EntryPoint, type GameAddresses, toDescriptor } from './descriptor.ts'
import { makeWellKnownRoutes } from './well-known.ts'

const cacheControl = 'public, max-age=300'

/** One of our texts for agents, with the addresses of this installation in it. */
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

/** What an agent reads before it plays. */
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
