// `npm start`: builds if necessary, starts everything, prints the addresses. Ctrl-C stops every part.

import { parseArgs } from 'node:util'
import { readConfig } from '../config/config.ts'
import { toSaidText } from '../core/said-text.ts'

const help = `npm start

Sets up, builds what is stale, starts everything and prints the addresses; Ctrl-C stops every part. It takes no
arguments: what it does follows from the environment, such as PORT and DATA_DIR, whose table is in README.md.`

try {
  const { values } = parseArgs({ options: { help: { type: 'boolean' } } })
  if (values.help === true) console.log(help)
  else {
    const config = readConfig(process.env)
    // Loaded on demand: it takes a second, which should not delay an error in the settings.
    await (await import('./start-everything.ts')).startEverything(config)
  }
} catch (error) {
  // Prints the message without its stack: each expected error says what to change.
  console.error(toSaidText(error))
  process.exit(1)
}
