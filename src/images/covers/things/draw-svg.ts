import sharp from 'sharp'

/** Renders SVG to pixels of three bytes (sRGB). */
export async function drawSvg(body: string, width: number, height: number): Promise<Uint8Array> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body}</svg>`
  return await sharp(Buffer.from(svg)).flatten({ background: '#000' }).toColourspace('srgb').raw().toBuffer()
}

/** Renders SVG to grey pixels of one byte. */
export async function drawGreySvg(body: string, width: number, height: number): Promise<Uint8Array> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body}</svg>`
  return await sharp(Buffer.from(svg)).flatten({ background: '#000' }).extractChannel(0).raw().toBuffer()
}
