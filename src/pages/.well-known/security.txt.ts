import site from '../../../site.config.ts'
import { builtAt, shop } from '../../config/site-context.ts'
import { toSecurityTxt } from '../../discovery/well-known/security-txt.ts'
import { prerendered } from '../../endpoints/served.ts'

export const GET = () => {
  const text = toSecurityTxt({ ...site, baseUrl: shop.baseUrl, at: builtAt })
  return prerendered('/.well-known/security.txt', text, { 'last-modified': builtAt.toUTCString() })
}
