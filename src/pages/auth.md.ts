import { toAuthMd } from '../discovery/well-known/auth-md.ts'
import { shop } from '../site-context.ts'

export const GET = () => new Response(toAuthMd(shop), { headers: { 'content-type': 'text/markdown; charset=utf-8' } })
