import { join } from 'node:path'

/** While this file is there, a restore is under way: some of the data folder is old and some is new. */
export const restorePlanFile = (dataDir: string): string => join(dataDir, 'restore.json')
