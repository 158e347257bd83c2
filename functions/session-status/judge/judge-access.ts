import { z } from 'zod'
import type { Diagnosis } from '../diagnosis-schema.ts'
import { nameOf } from '../read/body-kind.ts'
import { parseJson } from '../read/parse-json.ts'
import { type Admin, readAdmin, readMcp } from '../read/read-access.ts'
import { type Answered, presence, type Seen, type Site } from '../read/seen.ts'
import { type Judgement, judge } from './checks.ts'

const metadataSchema = z.looseObject({
  resource: z.url({ protocol: /^https$/ }),
  authorization_servers: z.array(z.url({ protocol: /^https$/ })).optional(),
})
const adminDetails: Readonly<Record<Admin, string>> = {
  absent: '',
  login: '',
  unclear: '',
  open: 'The page has no login form and reads like the inside of the interface.',
  shell: 'The page came with status 200 and without a login form; its scripts may ask for one later.',
}

/** Judges what opens without a session: the admin interface, the MCP endpoint and its metadata. */
export function judgeAccess(site: Site): Judgement[] {
  const admin = readAdmin(site.get('/_cms/admin/'))
  const endpoint = site.get('/_cms/api/mcp')
  const mcp = readMcp(endpoint)
  const judgements = [
    judge('admin-exposed', admin !== 'open', adminDetails[admin]),
    judge('admin-shell', admin !== 'open' && admin !== 'shell', adminDetails.shell),
    judge('mcp-open', mcp !== 'open', 'It answered a request without a token with something else than 401.'),
  ]
  const isToken = mcp === 'guarded' && endpoint.is === 'answered' && endpoint.fetched.status === 401
  const challenge = endpoint.is === 'answered' ? (endpoint.fetched.headers.get('www-authenticate') ?? '') : ''
  return [
    // An interface that is open is one finding, not two.
    ...judgements.filter(({ id }) => !(id === 'admin-shell' && admin === 'open')),
    ...(isToken
      ? [judge('mcp-no-metadata', /resource_metadata\s*=/i.test(challenge), 'Its 401 has no resource_metadata.')]
      : []),
    ...judgeMetadata(site.get('/.well-known/oauth-protected-resource'), isToken),
  ]
}

function judgeMetadata(seen: Seen, isNeeded: boolean): Judgement[] {
  const standing = presence(seen)
  if (standing === 'absent' && isNeeded)
    return [judge('metadata-missing', false, 'The MCP endpoint asks for a token, and there is no metadata here.')]
  if (standing !== 'there' || seen.is === 'silent') return []
  const missing = isNeeded ? [judge('metadata-missing', true, '')] : []
  const origins = seen.fetched.headers.get('access-control-allow-origin') ?? ''
  return [
    ...missing,
    judge('metadata-broken', hasMetadata(seen), whyBroken(seen)),
    judge('metadata-closed', origins === '*', 'It has no Access-Control-Allow-Origin: *.'),
  ]
}

function hasMetadata(seen: Answered): boolean {
  const read = metadataSchema.safeParse(parseJson(seen.text))
  return read.success && new URL(read.data.resource).hostname === new URL(seen.fetched.url).hostname
}

function whyBroken(seen: Answered): string {
  if (seen.kind !== 'json') return `The body is ${nameOf(seen)}.`
  const read = metadataSchema.safeParse(parseJson(seen.text))
  if (read.success) return 'Its resource is an address of another site.'
  return `It lacks a correct ${String(read.error.issues[0]?.path[0] ?? 'resource')}.`
}

/** What the site opens to a visitor without a session; null where that cannot be told. */
export function toSession(site: Site): Diagnosis['summary']['session'] {
  const admin = readAdmin(site.get('/_cms/admin/'))
  const mcp = readMcp(site.get('/_cms/api/mcp'))
  const metadata = site.get('/.well-known/oauth-protected-resource')
  return {
    adminExposed: { absent: false, login: false, open: true, shell: null, unclear: null }[admin],
    adminRequiresLogin: { absent: null, login: true, open: false, shell: null, unclear: null }[admin],
    mcpRequiresAuth: { absent: null, guarded: true, open: false, unclear: null }[mcp],
    protectedResourceMetadata: metadata.is === 'answered' && presence(metadata) === 'there' && hasMetadata(metadata),
  }
}
