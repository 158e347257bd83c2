/** Longer than any authorization that we accept is good for. */
const rememberedMs = 60 * 60 * 1000
/** More than that many payments in trouble are not told apart; the oldest is forgotten. */
const mostPayments = 1000

/** Remembers who gave no answer about which payment, for an hour. */
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
