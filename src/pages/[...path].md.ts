import type { APIRoute, GetStaticPaths } from 'astro'
import { getTwins } from '../build/get-twins.ts'
import { type Twin, twinPath } from '../publishing/twins/twin.ts'
import { toTwinText } from '../publishing/twins/twin-text.ts'
import { shop } from '../site-context.ts'

export const getStaticPaths = (async () =>
  (await getTwins()).map((twin) => ({
    params: { path: twinPath(twin.path).slice(1, -'.md'.length) },
    props: { twin },
  }))) satisfies GetStaticPaths

/** The markdown twin of a page. */
export const GET: APIRoute<{ twin: Twin }> = ({ props: { twin } }) =>
  new Response(toTwinText(twin, shop.baseUrl), { headers: { 'content-type': 'text/markdown; charset=utf-8' } })
