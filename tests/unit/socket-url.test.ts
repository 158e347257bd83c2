import { describe, expect, it } from 'vitest'
import { toOtherNameAdvice, toSocketUrl } from '../../game-server/pages/client/socket-url.ts'

const at = (address: string) => new URL(address)
const place = { ws: 'ws://localhost:4322/ws', home: 'http://localhost:4322' }

describe('the WebSocket of a page', () => {
  it.each([
    ['http://localhost:4322/play.html', 'ws://localhost:4322/ws'],
    ['http://127.0.0.1:4322/play.html', 'ws://127.0.0.1:4322/ws'],
    ['http://192.168.1.7:4322/play.html', 'ws://192.168.1.7:4322/ws'],
    ['https://quick-tunnel.example/play.html', 'wss://quick-tunnel.example/ws'],
  ])('opened at %s is at %s', (page, socket) => {
    expect(toSocketUrl(place, at(page))).toBe(socket)
  })

  it('stays at the configured address if that is a host of its own', () => {
    const apart = { ws: 'wss://sockets.example/ws', home: 'https://game.example' }
    expect(toSocketUrl(apart, at('http://127.0.0.1:4322/'))).toBe(apart.ws)
  })

  it('that cannot connect from another host name says which name is configured, and what to set', () => {
    expect(toOtherNameAdvice(place.home, at('http://10.0.0.2/'))).toContain('Open http://localhost:4322, or')
    expect(toOtherNameAdvice(place.home, at('http://10.0.0.2/'))).toContain('GAME_URL')
    expect(toOtherNameAdvice(place.home, at('http://localhost:4322/play.html'))).toBe('')
  })
})
