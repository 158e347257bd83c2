// Makes backups until it is killed, and reports each one that is finished: `node tests/backups/backup-maker.ts <data
// folder> <folder of backups>`.
import { writeSync } from 'node:fs'
import { openBackups } from '../../src/backups/make-backup.ts'

const [dataDir = '', folder = ''] = process.argv.slice(2)
const backups = openBackups({ dataDir, folder, now: Date.now })
const { signal } = new AbortController()
const onProgress = () => void writeSync(1, 'going\n')
for (;;) {
  const { prefix } = await backups.make('hourly', { signal, onProgress })
  writeSync(1, `made ${prefix}\n`)
}
