import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { connectPlayer } from '../support/mcp-player.ts'
import { testGameUrl } from '../support/running-service.ts'
import { openSocket } from '../support/socket-client.ts'
import { getJson, type Service } from './asking.ts'

export function gameSession(service: Service): void {
  describe('Game session', () => {
    it('WebSocket: join (name, kind: agent) and input (key) suffice to play', async () => {
      const socket = await openSocket(service().wsUrl)
      socket.send({ type: 'join', name: 'Walker', kind: 'agent' })
      expect(await socket.next('welcome')).toMatchObject({ you: { name: 'Walker', kind: 'agent' } })
      socket.send({ type: 'input', key: '.' })
      expect(await socket.next('obs')).toMatchObject({ text: expect.stringContaining('KEYS') })
      await socket.close()
    })

    it('WebSocket: the messages that quick_ws shows are taken as they are', async () => {
      const { quick_ws: messages } = await getJson(service, `${testGameUrl}/api/agent`)
      expect(messages.map(({ type }: { type: string }) => type)).toEqual(['join', 'input'])
      const socket = await openSocket(service().wsUrl)
      for (const message of messages) socket.send(message)
      await socket.next('welcome')
      await socket.next('obs')
      expect(socket.frames.filter(({ type }) => type === 'error')).toEqual([])
      await socket.close()
    })

    it('MCP: dungeon_join (name), dungeon_look (nothing), dungeon_action (key), in the suggested sequence', async () => {
      const { tools } = await getJson(service, `${testGameUrl}/api/mcp`)
      expect(tools).toEqual([
        { name: 'dungeon_join', input: { name: 'string' } },
        { name: 'dungeon_look', input: {} },
        { name: 'dungeon_action', input: { key: 'string' } },
      ])
      const transport = new StreamableHTTPClientTransport(new URL(`${testGameUrl}/api/mcp`), { fetch: service().fetch })
      const player = await connectPlayer(transport, 'legacy')
      const { tools: listed } = await player.client.listTools()
      expect(listed.map(({ name }) => name)).toEqual(['dungeon_join', 'dungeon_look', 'dungeon_action'])
      await player.join({ name: 'Looker' })
      expect((await player.look()).text).toContain('KEYS')
      expect((await player.act('.')).text).toContain('KEYS')
      await player.close()
    })
  })
}
