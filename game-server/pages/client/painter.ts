import { width } from '../../core/grid.ts'
import { aim, type Camera, defaultZoom, type Point, toPoint } from './camera.ts'
import { type Colour, toCss, under } from './colours.ts'
import type { DungeonView } from './dungeon-view.ts'
import { type Effects, flashMs, flightMs, slideMs, tidy } from './effects.ts'
import { beingColour, thingColour } from './glyph-colours.ts'
import { paintGlow, paintGround } from './paint-ground.ts'

const night = '#08080b'
const self: Colour = [255, 246, 220]
const face = '"Dungeon Mono", "JetBrains Mono Fallback", ui-monospace, monospace'
/** The time between two frames of the flickering torch: enough for it, and easy on a phone's battery. */
const ambientMs = 66

/** Draws a view on a canvas when it has changed, and repeatedly for the torch. */
export interface Painter {
  readonly effects: Effects
  /** Draws the view again, after a change. */
  readonly refresh: () => void
  /** The cell at a position of the window. */
  readonly cellAt: (clientX: number, clientY: number) => number
  /** `undefined` selects the default for the width. */
  readonly setZoom: (zoom: number | undefined) => void
  readonly zoom: () => number
  readonly setStill: (isStill: boolean) => void
}

function getBrush(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const brush = canvas.getContext('2d', { alpha: false })
  if (!brush) throw new Error('this browser has no canvas')
  return brush
}

/** Makes the painter of a canvas; its timers and observers run until the page is closed. */
export function makePainter(canvas: HTMLCanvasElement, view: DungeonView, effects: Effects): Painter {
  const brush = getBrush(canvas)
  let zoom: number | undefined
  let isStill = false
  let isAsked = false
  let camera: Camera = { cellWidth: 1, cellHeight: 1, left: 0, top: 0 }

  const zoomNow = () => zoom ?? defaultZoom(canvas.clientWidth)

  /** The position of a being, which may be sliding from its previous cell. */
  const placeOf = (id: number, cell: number, nowMs: number): Point => {
    const slide = isStill ? undefined : effects.slides.get(id)
    const to = toPoint(cell)
    if (!slide) return to
    const from = toPoint(slide.from)
    const left = Math.max(0, 1 - (nowMs - slide.bornMs) / slideMs)
    return { x: to.x + (from.x - to.x) * left, y: to.y + (from.y - to.y) * left }
  }

  function put({ x, y }: Point, glyph: string, colour: Colour, glows: boolean): void {
    const css = toCss(colour)
    brush.shadowColor = css
    brush.shadowBlur = glows ? camera.cellWidth * 0.9 : 0
    brush.fillStyle = css
    brush.fillText(glyph, camera.left + (x + 0.5) * camera.cellWidth, camera.top + (y + 0.5) * camera.cellHeight)
    brush.shadowBlur = 0
  }

  function paintFlights(nowMs: number): void {
    for (const { cell, text, colour, bornMs } of effects.flights) {
      const age = (nowMs - bornMs) / flightMs
      const { x, y } = toPoint(cell)
      brush.globalAlpha = isStill ? 1 : 1 - age
      brush.fillStyle = colour
      const rise = isStill ? 0.9 : 0.4 + age * 1.3
      brush.fillText(
        text,
        camera.left + (x + 0.5) * camera.cellWidth,
        camera.top + (y + 0.5 - rise) * camera.cellHeight,
      )
    }
    brush.globalAlpha = 1
    const hurt = 1 - (nowMs - effects.hurtMs) / flashMs
    if (hurt <= 0 || isStill) return
    brush.fillStyle = `rgb(190 20 20 / ${0.22 * hurt})`
    brush.fillRect(0, 0, canvas.width, canvas.height)
  }

  function paint(nowMs: number): void {
    isAsked = false
    const at = placeOf(0, view.cell, nowMs)
    camera = aim(canvas, at, zoomNow(), devicePixelRatio || 1)
    const flicker = isStill ? 1 : 0.94 + 0.06 * Math.sin(nowMs / 170) * Math.sin(nowMs / 67)
    brush.fillStyle = night
    brush.fillRect(0, 0, canvas.width, canvas.height)
    brush.font = `${Math.floor(camera.cellHeight * 0.8)}px ${face}`
    brush.textAlign = 'center'
    brush.textBaseline = 'middle'
    paintGround(brush, view, camera, { at, flicker, nowMs })
    paintGlow(brush, view, camera, { at, flicker })
    for (const { cell, glyph } of view.things) {
      const colour = thingColour(glyph)
      put(toPoint(cell), glyph, view.lit[cell] === 1 ? colour : under(colour, 0.45), false)
    }
    for (const being of view.beings)
      put(placeOf(being.id, being.cell, nowMs), being.glyph, beingColour(being), being.id < 0 || being.state > 1)
    put(at, '@', self, true)
    paintFlights(nowMs)
    if (tidy(effects, nowMs)) ask()
  }

  function ask(): void {
    if (isAsked) return
    isAsked = true
    requestAnimationFrame(paint)
  }

  const fit = () => {
    const ratio = devicePixelRatio || 1
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * ratio))
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio))
    paint(performance.now())
  }
  new ResizeObserver(fit).observe(canvas)
  // The promise also fails when only a local fallback font is missing, so the canvas is drawn again in either case.
  void document.fonts.load(`16px ${face}`).then(ask, ask)
  window.setInterval(() => isStill || document.hidden || ask(), ambientMs)

  return {
    effects,
    refresh: ask,
    cellAt(clientX, clientY) {
      const box = canvas.getBoundingClientRect()
      const ratio = canvas.width / box.width
      const x = Math.floor(((clientX - box.left) * ratio - camera.left) / camera.cellWidth)
      const y = Math.floor(((clientY - box.top) * ratio - camera.top) / camera.cellHeight)
      return y * width + x
    },
    setZoom(wanted) {
      zoom = wanted
      ask()
    },
    zoom: zoomNow,
    setStill(wanted) {
      isStill = wanted
      ask()
    },
  }
}
