import { withFormulas } from '../content/with-formulas.ts'
import { markdown } from './markdown.ts'

async function open() {
  const renderer = await markdown.processor.createMdxRenderer?.(
    { syntaxHighlight: markdown.syntaxHighlight, shikiConfig: markdown.shikiConfig },
    { optimize: false, srcDir: new URL('../', import.meta.url), sourcemap: false },
  )
  if (!renderer) throw new Error("Astro's processor of markdown no longer compiles MDX")
  return renderer
}

let opened: ReturnType<typeof open> | undefined

/** Front matter as empty lines, so that every line keeps its number in messages. */
const withoutFrontMatter = (source: string): string =>
  source.replace(/^---\r?\n[\s\S]*?\r?\n---[ \t]*(?=\r?\n|$)/, (front) => front.replace(/[^\r\n]/g, ' '))

/**
 * Compiles a plain text (`isPlainWriting`) as Astro compiles its modules of MDX, into the body of a function of
 * `jsxRuntime` that returns `{ MDXContent, headings }`.
 *
 * @param file the text's, for messages
 * @throws Error when it is no MDX
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
