const block = /<pre\b[^>]*>[\s\S]*?<\/pre>/g

/** A rendered text whose code carries no colours: they mean nothing where the site's styles are not. */
export const plainCode = (html: string): string => html.replace(block, (code) => code.replace(/<\/?span\b[^>]*>/g, ''))
