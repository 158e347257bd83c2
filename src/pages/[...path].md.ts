import type { APIRoute, GetStaticPaths } from 'astro'
import { shop } from '../config/site-context.ts'
import { type Alternate, alternatePath } from '../core/alternate.ts'
import { sha256 } from '../core/sha256.ts'
import { getAlternates } from '../endpoints/get-alternates.ts'
import { toWrittenAlternate } from '../endpoints/written-alternate.ts'

export const getStaticPaths = (async () =>
  (await getAlternates()).map((alternate) => ({
    params: { path: alternatePath(alternate.path).slice(1, -'.md'.length) },
    props: { alternate },
    cacheKey: sha256(JSON.stringify(alternate)),
  }))) satisfies GetStaticPaths

/** The markdown alternate of a page. */
export const GET: APIRoute<{ alternate: Alternate }> = ({ props: { alternate } }) =>
  new Response(toWrittenAlternate(alternate, shop.baseUrl), {
    headers: { 'content-type': 'text/markdown; charset=utf-8' },
  })
