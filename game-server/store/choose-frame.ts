import { z } from 'zod'
import { Problem } from '../../src/core/problem.ts'
import type { Handle } from '../../src/http/route.ts'
import { answerJson } from './answer-json.ts'
import { proofShape, provePlayer } from './prove-player.ts'
import { readJsonBody } from './read-json-body.ts'
import type { UnlockDeps } from './unlock.ts'

const frameSchema = z.object({ ...proofShape, frame: z.string('must be the name of a frame').max(64) })

type FrameDeps = Pick<UnlockDeps, 'db' | 'accounts' | 'entitlements'>

/** `POST /api/store/frame`: which of the frames a player owns goes around the next death. */
export function makeChooseFrame({ db, accounts, entitlements }: FrameDeps): Handle {
  return async (request) => {
    const { frame, ...proof } = await readJsonBody(frameSchema, request)
    const { key, name } = await provePlayer(accounts, proof)
    const { frames } = await entitlements.of(key)
    if (!frames.includes(frame)) {
      const detail = `must be one of ${frames.join(', ')}`
      throw new Problem('invalid-input', { detail: `The frame ${detail}`, errors: [{ pointer: '/frame', detail }] })
    }
    await db.updateTable('player').set({ frame }).where('key', '=', key).execute()
    return answerJson({ ok: true, player: name, activeFrame: frame, frames })
  }
}
