import { withFormulas } from '../content/with-formulas.ts'
import { markdown, optimize } from './markdown.ts'

async function open() {
  const renderer = await markdown.processor.createMdxRenderer?.(
    { syntaxHighlight: markdown.syntaxHighlight, shikiConfig: markdown.shikiConfig },
    { optimize, srcDir: new URL('../', import.meta.url), sourcemap: false },
  )
  if (!renderer) throw new Error("Astro's processor of markdown no longer compiles MDX")
  return renderer
}

let opened: ReturnType<typeof open> | undefined

/** Blanks the front matter but keeps its line breaks, so that line numbers in messages stay right. */
const withoutFrontMatter = (source: string): string =>
  source.replace(/^---\r?\n[\s\S]*?\r?\n---[ \t]*(?=\r?\n|$)/, (front) => front.replace(/[^\r\n]/g, ' '))

/**
 * Compiles a plain text (`isPlainWriting`) as Astro compiles MDX modules, into the body of a function that takes
 * `jsxRuntime` and returns `{ MDXContent, headings }`.
 *
 * @param file the path of the text, for messages
 * @throws Error when the text is not valid MDX
 */
export async function compileWriting(source: string, file: string): Promise<string> {
  opened ??= open()
  const { code } = await (await opened).process(withoutFrontMatter(withFormulas(source)), file, {})
  const body = code
    .replace(/^import \{([^}]*)\} from "astro\/jsx-runtime";$/gm, (_, names: string) => {
      return `const {${names.replaceAll(' as ', ': ')}} = jsxRuntime;`
    })
    .replace(/^export (?=const|function)/gm, '')
  return `${body}\nreturn { MDXContent, headings: getHeadings() }\n`
}
