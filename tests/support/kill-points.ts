/** Where a purchase can be interrupted: around every step that leaves the process or writes to the disk, in order. */
export const killPoints = [
  'before claim',
  'after claim',
  'before verify',
  'after verify',
  'before make',
  'after make',
  'before keepForSettlement',
  'after keepForSettlement',
  'before settle',
  'after settle',
  'before witness',
  'after witness',
  'before recordSale',
  'after recordSale',
  'before deliver',
  'before countDelivery',
  'after countDelivery',
] as const

export type KillPoint = (typeof killPoints)[number]

const known: ReadonlySet<string> = new Set(killPoints)

export const isKillPoint = (text: string): text is KillPoint => known.has(text)
