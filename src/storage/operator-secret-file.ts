import { join } from 'node:path'

/** The file of the secret by which the operator's commands authenticate to the game host. */
export const operatorSecretFile = (dataDir: string): string => join(dataDir, 'operator-secret')
