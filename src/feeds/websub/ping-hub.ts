const usualDeadlineMs = 10_000

/**
 * Tells a hub that a feed has changed, with one request. The hub is the publisher's own choice; only the status of its
 * response is read, and redirects are not followed.
 *
 * @returns why the hub was not notified, or undefined when it was
 */
export async function pingHub(
  hub: string,
  feedUrl: string,
  { signal, deadlineMs = usualDeadlineMs }: { readonly signal: AbortSignal; readonly deadlineMs?: number },
): Promise<string | undefined> {
  try {
    const response = await fetch(hub, {
      method: 'POST',
      // WebSub does not define this request; existing hubs accept that of PubSubHubbub.
      body: new URLSearchParams({ 'hub.mode': 'publish', 'hub.url': feedUrl, 'hub.topic': feedUrl }),
      headers: { 'user-agent': 'Farthing-WebSub' },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
    })
    await response.body?.cancel()
    return response.ok ? undefined : `the hub answered ${response.status}`
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return 'the hub did not answer in time'
    return 'the hub could not be reached'
  }
}
