const names = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Void elements: they have no content and no end tag. */
export const voidElements = names(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr',
)

/** Elements whose contents are not the text of a page: programs, pictures, controls and what stands in for them. */
export const mutedElements = names(
  'amp-ad amp-consent amp-embed amp-sidebar amp-social-share annotation annotation-xml applet audio button canvas datalist dialog frameset iframe map meter noembed noframes object optgroup option progress rp script select style svg template textarea video',
)

/** Elements that begin and end a block of text. */
export const blockElements = names(
  'address article aside blockquote body caption center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup html legend li listing main menu nav noscript ol p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp',
)

/** Elements whose range of blocks is recorded, because they may be the main part of the page or boilerplate. */
export const partElements = names(
  'article aside blockquote body center dd details div dl fieldset figure footer form header li main nav noscript ol search section table td ul',
)

/** Elements whose white space is kept. */
export const preformattedElements = names('listing plaintext pre xmp')

/** List elements. */
export const listElements = names('dir menu ol ul')

/** Elements whose text becomes inline code. */
export const codeElements = names('code kbd samp tt var')
