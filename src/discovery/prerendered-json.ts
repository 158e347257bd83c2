/** A document that is written at build time and may be read from any origin. */
export const prerenderedJson = (document: unknown): Response =>
  new Response(JSON.stringify(document), {
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=60' },
  })
