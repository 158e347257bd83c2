import type { APIRoute, GetStaticPaths } from 'astro'
import site from '../../../site.config.ts'
import { toSecurityTxt } from '../../discovery/well-known/security-txt.ts'
import { builtAt, shop } from '../../site-context.ts'

/** None without a contact in `site.config.ts`. */
export const getStaticPaths = (() => {
  const text = toSecurityTxt({ ...site, baseUrl: shop.baseUrl, builtAt })
  return text === undefined ? [] : [{ params: { name: 'security' }, props: { text } }]
}) satisfies GetStaticPaths

export const GET: APIRoute<{ text: string }> = ({ props: { text } }) =>
  new Response(text, { headers: { 'content-type': 'text/plain; charset=utf-8' } })
