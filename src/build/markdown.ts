import { satteri } from '@astrojs/markdown-satteri'
import type { ShikiConfig } from 'astro'
import { diagramLanguage } from '../content/draw-diagram.ts'
import { shownByComponents } from '../content/shown-by-components.ts'
import { features } from '../content/syntax.ts'
import { captions } from './captions.ts'
import { codeClasses } from './code-classes.ts'
import { pagePlugins } from './page-plugins.ts'
import { pictureReferences } from './picture-references.ts'
import { spelledPictures } from './spelled-pictures.ts'

/**
 * All elements but these become markup when a text is compiled, and not code that makes them whenever it is rendered,
 * which takes a fifth off compiling, too.
 */
export const optimize = { ignoreElementNames: [...shownByComponents] }

/** Astro's configuration for rendering markdown. */
export const markdown = {
  processor: satteri({
    features,
    mdastPlugins: [captions, pictureReferences, spelledPictures],
    hastPlugins: pagePlugins,
  }),
  syntaxHighlight: { type: 'shiki' as const, excludeLangs: ['math', diagramLanguage] },
  shikiConfig: { theme: 'css-variables', transformers: [codeClasses] } satisfies ShikiConfig,
}
