// The bundle of what runs in threads beside everything else; loaded with the first mail or answer that is no common one, or
// the first search in texts.
export { jsonAnswerer } from './base/farJson.ts';
export { mailAnswerer } from './mail/mailThread.ts';
export { readMail } from './mail/readMail.ts';
export { searchAnswerer } from './search/texts/searchText.ts';
