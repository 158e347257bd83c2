import type { APIRoute, GetStaticPaths } from 'astro'
import site from '../../../site.config.ts'
import { builtAt, shop } from '../../config/site-context.ts'
import { toSecurityTxt } from '../../discovery/well-known/security-txt.ts'
import { prerendered } from '../../endpoints/served.ts'

/** None without a contact in `site.config.ts`. */
export const getStaticPaths = (() => {
  const text = toSecurityTxt({ ...site, baseUrl: shop.baseUrl, builtAt })
  return text === undefined ? [] : [{ params: { name: 'security' }, props: { text } }]
}) satisfies GetStaticPaths

export const GET: APIRoute<{ text: string }> = ({ props: { text } }) => prerendered('/.well-known/security.txt', text)
