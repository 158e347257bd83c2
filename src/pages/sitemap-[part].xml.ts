import type { APIRoute, GetStaticPaths } from 'astro'
import { getSitemap } from '../endpoints/get-sitemap.ts'
import { prerendered } from '../endpoints/served.ts'

/** Empty unless the site has more addresses than one file may hold. */
export const getStaticPaths = (async () =>
  (await getSitemap()).parts.map((xml, place) => ({
    params: { part: `${place + 1}` },
    props: { xml },
  }))) satisfies GetStaticPaths

export const GET: APIRoute<{ xml: string }> = ({ props: { xml } }) => prerendered('/sitemap-{part}.xml', xml)
