// A game host for tests that kill it: `node tests/crash/dying-game.ts <data folder>` prints where its sockets are.
import { startGameHost } from '../support/game-host.ts'

const [folder = ''] = process.argv.slice(2)
const gameHost = await startGameHost({ folder, inputLimits: { perSecond: 1e9, burst: 1e9 } })
for (const line of gameHost.noted) console.error(line)
console.log(`listening ${gameHost.wsUrl}`)
// Standard input ends when the test has closed it or is gone itself.
process.stdin.on('end', () => void gameHost.stop().then(() => process.exit(0))).resume()
