import { join } from 'node:path'

/** Where the host keeps what the operator's command shows it. */
export const operatorSecretFile = (dataDir: string): string => join(dataDir, 'operator-secret')
