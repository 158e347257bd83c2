import { once } from 'node:events'
import WebSocket from 'ws'
import { z } from 'zod'
import type { GamePlayer } from '../game-players.ts'

/** First bytes of frames of the protocol. */
const joined = 10
const message = 13

const reservation = z.looseObject({
  sessionId: z.string(),
  roomId: z.string(),
  processId: z.string(),
})

/** A player of Colyseus. It ignores the frames it gets, so that the load generator does not measure itself. */
export async function openColyseusPlayer(origin: string): Promise<GamePlayer> {
  const answer = await fetch(`${origin}/matchmake/joinOrCreate/realm`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  const { sessionId, roomId, processId } = reservation.parse(await answer.json())
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/${processId}/${roomId}?sessionId=${sessionId}`, {
    perMessageDeflate: false,
  })
  const [hello]: unknown[] = await once(socket, 'message')
  if (!(hello instanceof Buffer) || hello[0] !== joined) throw new Error('Colyseus did not let a player in')
  socket.send(Buffer.from([joined]))
  return {
    async press(key) {
      socket.send(Buffer.concat([Buffer.from([message]), toMessagePack('key'), toMessagePack(key)]))
    },
    close: () => socket.terminate(),
  }
}

/** A string of at most 31 bytes in MessagePack. */
const toMessagePack = (text: string): Buffer => Buffer.concat([Buffer.from([0xa0 + text.length]), Buffer.from(text)])
