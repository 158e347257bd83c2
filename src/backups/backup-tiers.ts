import { z } from 'zod'

/** The tier of a backup: how often it is made, and thereby how long it is kept. */
export const tierSchema = z.enum(['hourly', 'daily', 'weekly', 'monthly'])
export type BackupTier = z.output<typeof tierSchema>

/** How many verified backups of each tier are kept. */
export const keptOfTier: Readonly<Record<BackupTier, number>> = { hourly: 48, daily: 14, weekly: 8, monthly: 24 }

const prefixPattern = /^(hourly|daily|weekly|monthly)\/\d{4}-\d\d-\d\dT\d{6}Z$/

/** `hourly/2026-11-22T090000Z`: names of one tier sort by time. */
export const toPrefix = (tier: BackupTier, at: number): string =>
  `${tier}/${new Date(at).toISOString().slice(0, 19).replaceAll(':', '')}Z`

/** Whether a text is the prefix of a backup. No other path matches. */
export const isPrefix = (text: string): boolean => prefixPattern.test(text)
