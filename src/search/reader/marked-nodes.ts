const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'", amp: '&' }

/** An excerpt whose only markup is `<mark>`, as nodes: text stays text, whatever it looks like. */
export const markedNodes = (page: Document, html: string): Node[] =>
  html.split(/<mark>(.*?)<\/mark>/s).map((part, place) => {
    const text = part.replace(/&(lt|gt|quot|#39|#x27|amp);/g, (_, name: string) => entities[name] ?? '')
    if (place % 2 === 0) return page.createTextNode(text)
    const mark = page.createElement('mark')
    mark.textContent = text
    return mark
  })
