/** How long an entry is kept, in milliseconds: about as long as the longest authorization that we accept. */
const rememberedMs = 60 * 60 * 1000
/** The largest number of payments that are remembered; beyond it the oldest is forgotten. */
const mostPayments = 1000

/** Remembers for an hour which facilitator (`Who`) gave no answer about which payment. */
export function makeDisappointments<Who>(now: () => number) {
  const known = new Map<string, { readonly at: number; readonly who: Set<Who> }>()
  return {
    has: (paymentKey: string, who: Who): boolean => known.get(paymentKey)?.who.has(who) ?? false,
    note(paymentKey: string, who: Who): void {
      for (const [key, { at }] of known) {
        // Oldest first.
        if (known.size < mostPayments && at > now() - rememberedMs) break
        known.delete(key)
      }
      const before = known.get(paymentKey) ?? { at: now(), who: new Set<Who>() }
      before.who.add(who)
      known.set(paymentKey, before)
    },
  }
}
