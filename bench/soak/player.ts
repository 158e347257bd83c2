import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'
import { z } from 'zod'
import { fromSomewhere } from './ask.ts'
import type { OpenRecord } from './record.ts'

const frameSchema = z.looseObject({
  type: z.string(),
  resumeToken: z.string().optional(),
  resumed: z.boolean().optional(),
  retryMs: z.number().optional(),
  code: z.string().optional(),
})
const keys = ['o', 'north', 'f', 'east', '.', 'south', '>', 'west']
const pressEveryMs = 2000
/** Error codes that are normal while playing. */
const ordinary = new Set(['bad_key', 'stale', 'dead', 'rate_limited'])

/** Plays until the signal aborts; joins again after the host has announced its end. */
export async function play(port: () => number, { record, fail }: OpenRecord, signal: AbortSignal): Promise<void> {
  let resumeToken: string | undefined

  /**
   * One connection from its opening to its end. The result says whether the host announced the end, refused the
   * connection, or cut it.
   */
  async function sit(): Promise<'told' | 'refused' | 'cut'> {
    const socket = new WebSocket(`ws://127.0.0.1:${port()}/ws`, { headers: fromSomewhere() })
    const join = () => socket.send(JSON.stringify({ type: 'join', name: 'Soak', kind: 'agent', resumeToken }))
    let wasOpen = false
    let end: 'told' | 'cut' = 'cut'
    let turn = 0
    let seated = false
    const pressing = setInterval(() => {
      if (!seated || socket.readyState !== WebSocket.OPEN) return
      socket.send(JSON.stringify({ type: 'input', key: keys[turn++ % keys.length], n: turn }))
    }, pressEveryMs)
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    const leave = () => socket.close()
    signal.addEventListener('abort', leave)
    socket.on('error', () => {})
    socket.on('open', () => {
      wasOpen = true
      join()
    })
    socket.on('message', (data: Buffer) => {
      const frame = readFrame(data.toString())
      if (!frame) return fail(`the dungeon said ${data.toString('utf8', 0, 300)}`)
      switch (frame.type) {
        case 'welcome':
          seated = true
          if (resumeToken !== undefined && frame.resumed) record.player.resumed += 1
          if (!frame.resumed) record.player.lives += 1
          resumeToken = frame.resumeToken ?? resumeToken
          break
        case 'obs':
          record.player.keys += 1
          break
        case 'death':
          join()
          break
        case 'bye':
          end = 'told'
          break
        case 'error':
          if (!ordinary.has(frame.code ?? '')) fail(`the dungeon said ${data.toString()}`)
          break
        default:
      }
    })
    await closed
    clearInterval(pressing)
    signal.removeEventListener('abort', leave)
    return wasOpen ? end : 'refused'
  }

  let wasTold = false
  while (!signal.aborted) {
    const end = await sit()
    if (signal.aborted) return
    if (end === 'cut') fail("the player's socket was closed without a word")
    if (end === 'refused' && !wasTold) fail("the player's socket was refused")
    wasTold = wasTold || end === 'told'
    if (end === 'cut') wasTold = false
    await delay(1000)
  }
}

function readFrame(text: string) {
  try {
    return frameSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
