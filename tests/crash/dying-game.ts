// A game host for tests that kill it: `node tests/crash/dying-game.ts <data folder>` prints where its sockets are.
import { openGameHouse } from '../support/game-house.ts'

const [folder = ''] = process.argv.slice(2)
const house = await openGameHouse({ folder, inputLimits: { perSecond: 1e9, burst: 1e9 } })
for (const line of house.noted) console.error(line)
console.log(`listening ${house.wsUrl}`)
// The test is done, or gone.
process.stdin.on('end', () => void house.stop().then(() => process.exit(0))).resume()
