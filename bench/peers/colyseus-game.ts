// The dungeon behind Colyseus: state as a Schema, and for every player a StateView of what is in sight.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { perceives } from '../../game-server/core/delta.ts'
import { getLevel } from '../../game-server/core/get-level.ts'
import { knownOn } from '../../game-server/core/known-cells.ts'
import { scoreOf } from '../../game-server/core/life.ts'
import { isVisible } from '../../game-server/core/monsters/is-visible.ts'
import { toText } from '../../game-server/core/scene.ts'
import { sightOf } from '../../game-server/core/sight.ts'
import { type GameEvent, step } from '../../game-server/core/step.ts'
import { getPlayer, isAlive, makeWorld, type Player } from '../../game-server/core/world.ts'
import { servePeer } from './serve-peer.ts'

interface Fields {
  [name: string]: number
}
interface View {
  add(instance: object): boolean
  remove(instance: object): unknown
}
interface Client {
  readonly sessionId: string
  view: View
  send(type: string, message: unknown): void
}
interface State {
  readonly players: Map<string, Fields>
  readonly things: Map<string, Fields>
}
interface Room {
  state: State
  maxClients: number
  readonly clients: Iterable<Client>
  onMessage(type: string, hear: (client: Client, message: unknown) => void): void
}
interface Field {
  view(): Field
}
/** The part of the packages that is used here; they are fetched when the benchmark runs. */
interface Colyseus {
  readonly Room: new () => Room
  readonly Server: new (
    options: object,
  ) => { define(name: string, room: object): void; listen(port: number, host: string): Promise<void> }
  readonly WebSocketTransport: new (options: object) => object
  readonly StateView: new () => View
  readonly schema: (fields: object, name: string) => new () => object
  readonly t: { number(): Field; map(of: object): Field }
}

const near = 20

async function load(packages: string): Promise<Colyseus> {
  const from = (entry: string): Promise<object> => import(pathToFileURL(join(packages, entry)).href)
  const parts = [
    await from('@colyseus/core/build/index.mjs'),
    await from('@colyseus/ws-transport/build/index.mjs'),
    await from('@colyseus/schema/build/index.mjs'),
  ]
  return z.custom<Colyseus>((value) => typeof value === 'object').parse(Object.assign({}, ...parts))
}

function defineRealm({ Room: Base, StateView, schema, t }: Colyseus) {
  const number = t.number()
  const fields = {
    cell: number,
    hp: number,
    maxHp: number,
    strength: number,
    gold: number,
    turn: number,
    score: number,
  }
  const Me = schema({ ...fields, depth: number, pack: number, isOver: number }, 'Me')
  const Thing = schema({ glyph: number, cell: number, hp: number, mood: number }, 'Thing')
  const StateClass = schema({ players: t.map(Me).view(), things: t.map(Thing).view() }, 'State')
  const make = <Made>(Class: new () => object): Made => z.custom<Made>(() => true).parse(new Class())

  return class Realm extends Base {
    override state = make<State>(StateClass)
    override maxClients = 16
    readonly world = makeWorld(`realm ${Math.random()}`)
    readonly players = new Map<Client, { id: number; sent: Map<number, Uint32Array>; shown: Set<string> }>()
    /** Clients whose views may have to change before the next patch. */
    readonly stale = new Set<Client>()

    onCreate(): void {
      this.onMessage('key', (client, key) => this.press(client, String(key)))
    }

    onJoin(client: Client): void {
      const joined = step(this.world, { is: 'join', name: `p${this.players.size}`, kind: 'agent' }, [])
      if (!joined.ok) throw new Error(joined.error)
      client.view = new StateView()
      const me = make<Fields>(Me)
      this.state.players.set(client.sessionId, me)
      client.view.add(me)
      this.players.set(client, { id: joined.player, sent: new Map(), shown: new Set() })
      this.tell(client, [])
    }

    onLeave(client: Client): void {
      const known = this.players.get(client)
      if (!known) return
      step(this.world, { is: 'leave', player: known.id }, [])
      this.state.players.delete(client.sessionId)
      this.state.things.delete(`p${known.id}`)
      this.players.delete(client)
      this.stale.delete(client)
    }

    press(client: Client, key: string): void {
      const known = this.players.get(client)
      if (!known) return
      const events: GameEvent[] = []
      step(this.world, { is: 'key', player: known.id, key }, events)
      this.tell(client, events)
    }

    /** Tells the player who pressed a key, and players nearby, what it changed. */
    tell(actor: Client, events: readonly GameEvent[]): void {
      const from = getPlayer(this.world, this.players.get(actor)?.id ?? 0)
      this.keepThings(from.depth)
      for (const [client, known] of this.players) {
        const player = getPlayer(this.world, known.id)
        const [dx, dy] = [
          (player.cell % 80) - (from.cell % 80),
          Math.trunc(player.cell / 80) - Math.trunc(from.cell / 80),
        ]
        if (player.depth !== from.depth || Math.abs(dx) > near || Math.abs(dy) > near) continue
        this.stale.add(client)
        for (const event of events)
          if (perceives(this.world, known.id, event)) client.send('m', [event.kind, toText(event, known.id)])
      }
      this.keepMe(actor, from)
    }

    keepMe(client: Client, player: Player): void {
      const me = this.state.players.get(client.sessionId)
      const known = this.players.get(client)
      if (!me || !known) return
      const { cell, hp, maxHp, strength, gold, turn, depth, pack } = player
      const score = scoreOf(player)
      Object.assign(me, {
        cell,
        hp,
        maxHp,
        strength,
        gold,
        turn,
        depth,
        score,
        pack: pack.length,
        isOver: isAlive(player) ? 0 : 1,
      })
      const bits = knownOn(player, depth)
      const sent = known.sent.get(depth) ?? new Uint32Array(bits.length)
      known.sent.set(depth, sent)
      const tiles: number[] = []
      const level = getLevel(this.world, depth)
      for (const [word, now] of bits.entries()) {
        for (let fresh = now & ~(sent[word] ?? 0); fresh !== 0; fresh &= fresh - 1) {
          const cellNumber = word * 32 + 31 - Math.clz32(fresh & -fresh)
          tiles.push(cellNumber, level.tiles[cellNumber] ?? 0)
        }
        sent[word] = now
      }
      if (tiles.length > 0) client.send('t', tiles)
    }

    /** Copies the monsters and players of a level into the Schema, which detects the changes. */
    keepThings(depth: number): void {
      const there = new Set<string>()
      for (const { id, kind, cell, hp, mood } of getLevel(this.world, depth).monsters) {
        there.add(`${depth}/${id}`)
        this.keepThing(`${depth}/${id}`, {
          glyph: kind,
          cell,
          hp,
          mood: mood === 'hunting' ? 2 : mood === 'idle' ? 1 : 0,
        })
      }
      for (const player of this.world.players.values())
        if (player.isHere && isAlive(player) && player.depth === depth)
          this.keepThing(`p${player.id}`, { glyph: 0, cell: player.cell, hp: player.hp, mood: 3 })
      for (const id of this.state.things.keys())
        if (id.startsWith(`${depth}/`) && !there.has(id)) this.state.things.delete(id)
    }

    keepThing(id: string, values: Fields): void {
      let thing = this.state.things.get(id)
      if (!thing) {
        thing = make<Fields>(Thing)
        this.state.things.set(id, thing)
      }
      Object.assign(thing, values)
    }

    onBeforePatch(): void {
      for (const client of this.stale) this.lookAround(client)
      this.stale.clear()
    }

    lookAround(client: Client): void {
      const known = this.players.get(client)
      if (!known) return
      const player = getPlayer(this.world, known.id)
      const level = getLevel(this.world, player.depth)
      const sight = sightOf(level, player)
      const seen = new Set<string>()
      for (const monster of level.monsters)
        if (isVisible(monster, player, sight)) seen.add(`${player.depth}/${monster.id}`)
      for (const other of this.world.players.values())
        if (other !== player && other.isHere && other.depth === player.depth && sight.lit[other.cell] === 1)
          seen.add(`p${other.id}`)
      for (const id of seen) {
        const thing = this.state.things.get(id)
        if (thing && !known.shown.has(id)) client.view.add(thing)
      }
      for (const id of known.shown) {
        const thing = this.state.things.get(id)
        if (thing && !seen.has(id)) client.view.remove(thing)
      }
      known.shown = seen
    }
  }
}

await servePeer(async (options) => {
  const { folder } = z.object({ folder: z.string() }).parse(options)
  const colyseus = await load(folder)
  const server = createServer()
  const transport = new colyseus.WebSocketTransport({ server })
  const host = new colyseus.Server({ transport, greet: false, gracefullyShutdown: false })
  host.define('realm', defineRealm(colyseus))
  await host.listen(0, '127.0.0.1')
  const address: AddressInfo = z.custom<AddressInfo>((value) => value !== null).parse(server.address())
  return address.port
})
