const usualDeadlineMs = 10_000

/**
 * Tells a hub that a feed has changed, once. The hub is the publisher's own choice; nothing of its answer is read but
 * the status, and redirects are not followed.
 *
 * @returns why it did not hear it, or undefined when it did
 */
export async function pingHub(
  hub: string,
  feedUrl: string,
  { signal, deadlineMs = usualDeadlineMs }: { readonly signal: AbortSignal; readonly deadlineMs?: number },
): Promise<string | undefined> {
  try {
    const response = await fetch(hub, {
      method: 'POST',
      // WebSub leaves this to the hub; all that exist take what PubSubHubbub said.
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
