import { satteriHeadingIdsPlugin } from '@astrojs/markdown-satteri'
import { defineHastPlugin, type HastNode, type HastPluginEntry, type MdxJsxFlowElementHast } from 'satteri'
import { readCodeMeta } from '../content/code-meta.ts'
import { diagramLanguage, drawDiagram } from '../content/draw-diagram.ts'
import { drawFormula } from '../content/draw-formula.ts'

/** Inserts markup that is made here without escaping it. */
const toMarkup = (html: string): MdxJsxFlowElementHast => ({
  type: 'mdxJsxFlowElement',
  name: 'Fragment',
  attributes: [{ type: 'mdxJsxAttribute', name: 'set:html', value: html }],
  children: [],
})

const classesOf = (node: HastNode): readonly unknown[] => {
  const names = node.type === 'element' ? node.properties['className'] : undefined
  return Array.isArray(names) ? names : []
}

/** Marks each block of code in a `<Tabs>` with the number of its group and its position in it. */
const codeTabs: HastPluginEntry = () => {
  let group = 0
  return defineHastPlugin({
    name: 'code-tabs',
    mdxJsxFlowElement: {
      filter: ['Tabs'],
      visit(node, context) {
        group += 1
        const blocks = node.children.filter((child) => child.type === 'element' && child.tagName === 'pre')
        for (const [place, block] of blocks.entries()) context.setProperty(block, 'dataTab', `${group}.${place}`)
      },
    },
  })
}

const toFormula = (tex: string, isBlock: boolean): string =>
  isBlock
    ? `<span class="formula" role="group" aria-label="Formula" tabindex="0">${drawFormula(tex, true)}</span>`
    : drawFormula(tex, false)

/**
 * Draws formulas. An inline formula that is alone in its paragraph is drawn as a block, as one between `$$` lines is.
 */
const formulas = defineHastPlugin({
  name: 'formulas',
  element: {
    filter: ['pre', 'code'],
    visit(node, context) {
      const [child] = node.children
      if (node.tagName === 'pre' && child?.type === 'element' && classesOf(child).includes('math-display'))
        return {
          type: 'element',
          tagName: 'p',
          properties: {},
          children: [toMarkup(toFormula(context.textContent(node), true))],
        }
      if (!classesOf(node).includes('math-inline')) return undefined
      const parent = context.parent(node)
      const isAlone = parent.type === 'element' && parent.tagName === 'p' && parent.children.length === 1
      return toMarkup(toFormula(context.textContent(node), isAlone))
    },
  },
})

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const escapeAttribute = (text: string): string => escapeText(text).replaceAll('"', '&quot;')

/** Draws diagrams. The box of a wide one is focusable, so that a keyboard can scroll it, too. */
const diagrams = defineHastPlugin({
  name: 'diagrams',
  element: {
    filter: ['pre'],
    visit(node, context) {
      const [code] = node.children
      if (code?.type !== 'element' || !classesOf(code).includes(`language-${diagramLanguage}`)) return undefined
      const text = context.textContent(code)
      const data: object = code.data ?? {}
      const { title = '' } = readCodeMeta('meta' in data ? String(data.meta) : '', text)
      const svg = drawDiagram(text).replace('<svg', `<svg role="img" aria-label="${escapeAttribute(title)}"`)
      const box = `<div class="diagram-box" role="group" aria-label="Diagram" tabindex="0">${svg}</div>`
      return toMarkup(`<figure class="diagram">${box}<figcaption>${escapeText(title)}</figcaption></figure>`)
    },
  },
})

/**
 * Gives the first heading without any word an id as well: Astro's plugin derives ids from words and leaves it empty,
 * but numbers the following ones. Ids derived from words have no capitals, so `Section` cannot collide with them.
 */
const namedHeadings: HastPluginEntry[] = [
  satteriHeadingIdsPlugin(),
  defineHastPlugin({
    name: 'named-headings',
    element: {
      filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
      visit(node, context) {
        if (node.properties['id'] === '') context.setProperty(node, 'id', 'Section')
      },
    },
  }),
]

/** The plugins that transform a post's HTML tree, after its code is coloured. */
export const pagePlugins: HastPluginEntry[] = [codeTabs, formulas, diagrams, ...namedHeadings]
