// `npm run job NAME`: runs one job now, beside a running site or alone.

import { parseArgs } from 'node:util'
import { toSaidText } from '../core/said-text.ts'
import { jobTable } from '../jobs/job-table.ts'

const width = Math.max(...jobTable.map(({ name }) => name.length))
const help = `npm run job -- NAME

Runs one job now and says what it does. A site that runs meanwhile goes on; it never runs the same job
at the same time.

${jobTable.map(({ name, about, cron }) => `  ${name.padEnd(width)}  ${about} (by itself: ${cron} UTC)`).join('\n')}

  --help          this text`

try {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } })
  const [name, ...more] = positionals
  if (values.help === true || name === undefined) console.log(help)
  else if (more.length > 0) throw new Error('name one job; --help lists them')
  else if (!jobTable.some((job) => job.name === name)) throw new Error(`there is no job ${name}; --help lists them`)
  // Loaded on demand: it takes a second, which `--help` should not wait for.
  else await (await import('./run-one-job.ts')).runOneJob(name)
} catch (error) {
  console.error(toSaidText(error))
  process.exit(1)
}
