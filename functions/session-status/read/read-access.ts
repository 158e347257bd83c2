import { readHtml } from './read-html.ts'
import { presence, type Seen } from './seen.ts'

const insideWords = /\b(?:dashboard|log ?out|sign ?out|settings|users|media library|new post|drafts|revisions)\b/gi

/** How an admin interface responds to a visitor without a session. */
export type Admin = 'absent' | 'login' | 'open' | 'shell' | 'unclear'

/** Classifies the response: a login, the interface itself (`open`), or a page that scripts fill in later (`shell`). */
export function readAdmin(seen: Seen): Admin {
  if (seen.is === 'silent') return 'unclear'
  const { status, url } = seen.fetched
  if (status === 401 || status === 403) return 'login'
  const standing = presence(seen)
  if (standing !== 'there') return standing
  const { title, text, hasPasswordField } = readHtml(seen.text)
  const isLogin = /\b(?:log ?in|sign ?in|anmelden|connexion)\b/i.test(`${title} ${text.slice(0, 2000)}`)
  if (hasPasswordField || isLogin || /\/(?:log-?in|sign-?in|auth|session)\b/i.test(new URL(url).pathname))
    return 'login'
  const words = new Set((text.match(insideWords) ?? []).map((word) => word.toLowerCase()))
  return words.size >= 2 ? 'open' : 'shell'
}

/** How an MCP endpoint responds to a client without a token. */
export type Mcp = 'absent' | 'guarded' | 'open' | 'unclear'

export function readMcp(seen: Seen): Mcp {
  if (seen.is === 'silent') return 'unclear'
  const { status } = seen.fetched
  if (status === 401 || status === 403) return 'guarded'
  switch (presence(seen)) {
    case 'absent':
      return 'absent'
    case 'there':
      return seen.kind === 'html' ? 'unclear' : 'open'
    case 'unclear':
      // A JSON-RPC error means that the request was processed without asking for a token.
      return status === 400 && /"jsonrpc"/.test(seen.text) ? 'open' : 'unclear'
  }
}
