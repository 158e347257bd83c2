/**
 * Bytes that an answer sends as they lie there: of those that it is given as bytes it makes a copy of its own, which
 * slow lines hold for as long as they like.
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
