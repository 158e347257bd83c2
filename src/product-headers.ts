/** What a paid answer says beside its body; pages of other origins may read them too. */
export const productHeaders =
  'X-Receipt-Id, X-Media-Engine, X-Image-Alt, X-Voice-Id, X-Audio-Duration-Seconds, X-Pack-Failed'
