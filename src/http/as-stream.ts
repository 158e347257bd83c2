/**
 * Wraps bytes as a stream for the body of a response. `Response` copies bytes that it is given directly, and a slow
 * connection would keep that copy in memory.
 *
 * @example new Response(asStream(body), { headers: { 'content-length': String(body.byteLength) } })
 */
export const asStream = (...parts: readonly Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
