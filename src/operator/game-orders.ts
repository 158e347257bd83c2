import { existsSync } from 'node:fs'
import { z } from 'zod'
import { liveSchema } from '../../game-server/protocol/play-documents.ts'
import { operatorSecretFile } from '../storage/operator-secret-file.ts'
import { readSecret } from '../storage/read-secret.ts'

const answerSchema = z.looseObject({
  detail: z.string().optional(),
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
})
const waitMs = 10_000

interface Place {
  /** Absolute path. */
  readonly dataDir: string
  readonly gamePort: number
}

/** Sends the operator's orders to the game host of a data folder, which runs on this machine. */
export function makeGameOrders({ dataDir, gamePort }: Place) {
  const host = `http://127.0.0.1:${gamePort}`
  const reach = (path: string, init: RequestInit): Promise<Response> =>
    fetch(host + path, { ...init, signal: AbortSignal.timeout(waitMs) }).catch((cause: unknown) => {
      throw new GameAway(`no game host answers on port ${gamePort}; start it, or set GAME_PORT`, { cause })
    })

  return {
    /**
     * Sends an order.
     *
     * @returns the body of the host's response, such as what was done
     * @throws GameAway of one sentence when the game host does not run or refuses the order
     */
    async give(order: object): Promise<Readonly<Record<string, unknown>>> {
      const secretFile = operatorSecretFile(dataDir)
      if (!existsSync(secretFile))
        throw new GameAway(`no game host has run with the data folder ${dataDir}; is DATA_DIR right?`)
      const response = await reach('/api/operator', {
        method: 'POST',
        headers: { authorization: `Bearer ${readSecret(secretFile)}`, 'content-type': 'application/json' },
        body: JSON.stringify(order),
      })
      const answer = answerSchema.parse(await response.json())
      if (response.ok) return answer
      if (response.status === 404)
        throw new GameAway('the game host does not know this data folder; set DATA_DIR to its own')
      const faults = answer.errors?.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}`).join('\n')
      throw new GameAway(faults ?? answer.detail ?? `the game host answered ${response.status}`)
    },

    /**
     * The current players.
     *
     * @throws GameAway of one sentence when the game host does not run
     */
    async live() {
      const response = await reach('/api/live', {})
      return liveSchema.parse(await response.json())
    },
  }
}

export type GameOrders = ReturnType<typeof makeGameOrders>

/** Why an order could not be given, in a sentence. */
export class GameAway extends Error {
  override readonly name = 'GameAway'
}
