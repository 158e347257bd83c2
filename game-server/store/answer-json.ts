/** A JSON response, not to be cached unless `cacheControl` says so. */
export const answerJson = (value: unknown, cacheControl = 'no-store'): Response =>
  new Response(JSON.stringify(value), {
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': cacheControl },
  })
