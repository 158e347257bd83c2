import { shop } from '../config/site-context.ts'
import { toAuthMd } from '../discovery/well-known/auth-md.ts'
import { prerendered } from '../endpoints/served.ts'

export const GET = () => prerendered('/auth.md', toAuthMd(shop))
