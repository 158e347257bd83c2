import { SaxesParser } from 'saxes'

/**
 * The elements of this name in an XML response, each as the texts of its direct children by name.
 *
 * @throws Error when the XML is not well-formed
 */
export function readElements(xml: string, name: string): Record<string, string>[] {
  const found: Record<string, string>[] = []
  const open: string[] = []
  let text = ''
  let failed: Error | undefined
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    failed ??= error
  })
  parser.on('opentag', (tag) => {
    open.push(tag.name)
    text = ''
    if (tag.name === name) found.push({})
  })
  parser.on('text', (part) => {
    text += part
  })
  parser.on('closetag', (tag) => {
    open.pop()
    const element = found.at(-1)
    if (element && open.at(-1) === name) element[tag.name] = text
  })
  parser.write(xml).close()
  if (failed) throw failed
  return found
}
