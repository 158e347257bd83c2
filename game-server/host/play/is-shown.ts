import type { Seat } from '../realms/realm.ts'

/** Whether a player may be watched. Where others play the same seed, what one of them finds would help the rest. */
export const isShown = ({ isWatchable, realm }: Seat): boolean => isWatchable && realm.mode === 'open'
